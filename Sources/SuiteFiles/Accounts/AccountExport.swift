// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import AccountStore
import JSON

/// Writes the users, tenants and settings of a project as the official Firebase emulators' exports have them.
///
/// Everything is as it was at one moment, whatever requests change meanwhile; codes that were sent are left out, and so
/// are functions that decide on sign-ins. A file and a member of our own hold what has no place in the official format:
/// an import here brings all of it back.
package struct AccountExport {
    let store: SQLiteAccountStore
    let project: String
    let defaults: AccountDefaults
    package var onWarning: (String) -> Void = { _ in }
    /// Called after every user; may throw to stop.
    package var onProgress: (AccountCounts) throws -> Void = { _ in }

    /// Exports a project.
    package init(store: SQLiteAccountStore, project: String, defaults: AccountDefaults) {
        (self.store, self.project, self.defaults) = (store, project, defaults)
    }

    /// Writes Authentication's part of an export into a directory, which must be empty.
    ///
    /// Files are not durable on return; after a failure, some of them are left there.
    package func write(to directory: String) throws -> AccountCounts {
        let root = FileTree.absolute(directory)
        guard try FileTree.isEmpty(root) else { throw ExportError.notEmpty(root) }
        return try store.reading(project: project) { try write($0, to: root) }
    }

    private func write(_ transaction: ProjectTransaction, to root: String) throws -> AccountCounts {
        var counts = AccountCounts()
        var settings = ListWriter.settings("\(root)/\(AccountLayout.settings)")
        let own = try transaction.users(tenant: nil)
        let config = try own?.settings()
        try ExportFile.create("\(root)/\(AccountLayout.config)", holding: officialConfig(config).rendered())
        try own.map { try writeSettings(of: $0, to: &settings) }
        try writeUsers(of: own, tenant: nil, to: root, &counts)
        try transaction.forEachTenant { tenant, users in
            // Only read of, never created.
            if try users.settings() == nil, try users.accountCount() == 0 { return }
            guard AccountLayout.file(ofTenant: tenant) != nil else {
                let count = try users.accountCount()
                onWarning("left out of the export: a tenant whose id cannot be the name of a file; its users: \(count)")
                return
            }
            try writeSettings(of: users, to: &settings)
            try writeUsers(of: users, tenant: tenant, to: root, &counts)
            counts.tenants += 1
        }
        if settings.isBegun { try settings.finish() }
        let others = NameList(try transaction.otherProjects())
        if others.count > 0 { onWarning("left out of the export: users of projects other than \(project) (\(others))") }
        return counts
    }

    private func writeUsers(
        of users: AccountTransaction?,
        tenant: String?,
        to root: String,
        _ counts: inout AccountCounts
    ) throws {
        guard let name = AccountLayout.file(ofTenant: tenant) else { return }
        var list = ListWriter.users("\(root)/\(name)")
        try users?.forEachAccount { account in
            try list.append(account.exported)
            counts.users += 1
            try onProgress(counts)
        }
        try list.finish()
    }

    /// Writes settings as they are stored, and the identity providers that were set up.
    private func writeSettings(of users: AccountTransaction, to list: inout ListWriter) throws {
        let scope = users.scope.tenant.map { [(AccountMember.tenant, JSONText.string($0))] } ?? []
        if case .object(var members) = try users.settings() ?? .null {
            members[AccountMember.blockingFunctions] = nil
            try list.append(
                .object(scope + [(AccountMember.settings, .verbatim(JSONValue.object(members).compactText))])
            )
        }
        try users.forEachProvider { collection, id, config in
            try list.append(
                .object(
                    scope + [
                        (AccountMember.collection, .string(collection)), (AccountMember.id, .string(id)),
                        (AccountMember.config, .verbatim(config.compactText)),
                    ]
                )
            )
        }
    }

    /// The settings of a project that the official emulator exports.
    private func officialConfig(_ settings: JSONValue?) -> JSONText {
        .object(
            OfficialSetting.all.map { setting in
                let value = (settings.flatMap(setting.value) ?? setting.value(in: defaults.project)) ?? false
                return (setting.group, .object([(setting.name, .boolean(value))]))
            }
        )
    }
}

extension Account {
    /// The account as the official emulator writes it, with a member of our own for what that does not know.
    fileprivate var exported: JSONText {
        let hidden = hiddenMembers
        guard !hidden.isEmpty, case .object(let members) = official.json else { return json }
        return .object(members + [(AccountMember.own, .object(hidden))])
    }

    /// The account without authenticator apps, for which the official emulator would drop the user.
    private var official: Account {
        guard let secondFactors, secondFactors.contains(where: { $0.sharedSecret != nil }) else { return self }
        let phones = secondFactors.filter { $0.phoneNumber != nil }
        var account = self
        account.secondFactors = phones.isEmpty ? nil : phones
        return account
    }
}
