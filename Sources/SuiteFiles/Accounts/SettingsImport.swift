// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

/// Loads settings, tenants and identity providers of an export.
struct SettingsImport {
    let directory: String
    let target: ProjectTransaction
    let project: String
    let defaults: AccountDefaults

    /// Loads our own file first: what the official one says counts.
    func run(onWarning: (String) -> Void) throws {
        let path = "\(directory)/\(AccountLayout.settings)"
        if try FileTree.kind(of: path) != nil {
            var list = try ListReader(path)
            _ = try list.forEach(in: AccountMember.settings) { json, number in
                do {
                    try load(AccountRecord(json: json))
                } catch let fault as AccountRecord.Fault {
                    throw ExportError.badFile(
                        path,
                        because: "has a setting, number \(number), without use: \(fault.reason)"
                    )
                }
            }
        }
        try loadOfficial("\(directory)/\(AccountLayout.config)", onWarning: onWarning)
    }

    /// Whether several users may have one e-mail address.
    func allowsDuplicateEmails() throws -> Bool {
        try OfficialSetting.allowsDuplicateEmails.value(in: settings(ofTenant: nil)) ?? false
    }

    /// Creates a tenant unless it is there.
    func ensureTenant(_ id: String) throws {
        let users = try target.ensuredUsers(tenant: id)
        if try users.settings() == nil { try users.change(settings: defaults.tenant(id)) }
    }

    private func settings(ofTenant tenant: String?) throws -> JSONValue {
        try target.users(tenant: tenant)?.settings() ?? tenant.map(defaults.tenant) ?? defaults.project
    }

    private func load(_ record: AccountRecord) throws {
        let tenant = try record.text(AccountMember.tenant)
        if let settings = try record.object(AccountMember.settings) {
            try save(settings, tenant: tenant)
        } else if let config = try record.object(AccountMember.config) {
            guard let collection = try record.text(AccountMember.collection), let id = try record.text(AccountMember.id)
            else { throw AccountRecord.Fault(reason: "it has no collection or no id") }
            let named = config.merging(["name": .string("\(name(ofTenant: tenant))/\(collection)/\(id)")]) { $1 }
            try target.ensuredUsers(tenant: tenant).save(.object(named), provider: id, in: collection)
        } else {
            throw AccountRecord.Fault(reason: "it has neither settings nor config")
        }
    }

    private func save(_ settings: [String: JSONValue], tenant: String?) throws {
        var settings = settings
        if let tenant {
            settings[AccountMember.tenant] = .string(tenant)
            settings["name"] = .string(name(ofTenant: tenant))
        } else {
            settings[AccountMember.blockingFunctions] =
                try self.settings(ofTenant: nil)[AccountMember.blockingFunctions]
        }
        try target.ensuredUsers(tenant: tenant).change(settings: .object(settings))
    }

    /// The name of the project or tenant as a resource.
    private func name(ofTenant tenant: String?) -> String {
        "projects/\(project)" + (tenant.map { "/tenants/\($0)" } ?? "")
    }

    private func loadOfficial(_ path: String, onWarning: (String) -> Void) throws {
        guard try FileTree.kind(of: path) != nil else {
            return onWarning("\(path) is missing: settings stay as they are")
        }
        let config = try ExportManifest.json(path)
        guard case .object = config else { throw ExportError.badFile(path, because: "is not a JSON object") }
        let present = try settings(ofTenant: nil)
        var settings = present
        for setting in OfficialSetting.all {
            do {
                guard let value = try setting.checkedValue(in: config) else { continue }
                settings = setting.set(value, in: settings)
            } catch {
                let reason = "has a \(setting.group).\(setting.name) that is neither true nor false"
                throw ExportError.badFile(path, because: reason)
            }
        }
        if settings != present { try target.ensuredUsers(tenant: nil).change(settings: settings) }
    }
}

extension AccountRecord {
    fileprivate func object(_ key: String) throws(Fault) -> [String: JSONValue]? {
        switch json[key] ?? .null {
        case .null: return nil
        case .object(let members): return members
        default: throw Fault(reason: "its \(key) is not an object")
        }
    }
}
