// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import AccountStore
import Basics
import JSON

/// Loads the Authentication data of an export of the official Firebase emulators, or of our own, into a project.
///
/// All or nothing: it is one transaction of the store. After a failure, and after the death of the process at any time
/// before the end, the store holds what it held before; after the end, everything.
///
/// The official emulator leaves out a user that it cannot take, without a word; here such a user is an error. Of two
/// users with one id in a file, the later counts.
package struct AccountImport {
    let store: SQLiteAccountStore
    let project: String
    /// The directory with `accounts.json`.
    let directory: String
    let defaults: AccountDefaults
    /// The time of the import in milliseconds since the Unix epoch, for what has none of its own.
    let now: Int64
    /// Whether several users may have one e-mail address although the project's settings do not allow it: production's
    /// imports bring such.
    package var takesDuplicateEmails = false
    package var onWarning: (String) -> Void = { _ in }
    /// Called after every user; may throw to stop.
    package var onProgress: (AccountCounts) throws -> Void = { _ in }
    /// Takes the size of each piece of the files of users.
    package var onRead: (Int) -> Void = { _ in }

    /// Imports a directory into a project.
    package init(
        store: SQLiteAccountStore,
        project: String,
        directory: String,
        defaults: AccountDefaults,
        now: Int64
    ) {
        (self.store, self.project, self.defaults, self.now) = (store, project, defaults, now)
        self.directory = FileTree.absolute(directory)
    }

    /// Imports everything; users with the same ids are replaced, others stay.
    ///
    /// Afterwards, the server must forget the settings that it has read.
    package func run() throws -> AccountCounts {
        switch try FileTree.kind(of: directory) {
        case .directory: break
        case .link: throw ExportError.link(directory)
        case nil: throw ExportError.badFile(directory, because: "is missing")
        case .regular, .other: throw ExportError.notADirectory(directory)
        }
        return try store.writing(project: project) { target in
            let settings = SettingsImport(directory: directory, target: target, project: project, defaults: defaults)
            try settings.run(onWarning: onWarning)
            var counts = AccountCounts()
            let takesDuplicates = try takesDuplicateEmails || settings.allowsDuplicateEmails()
            try load(tenant: nil, into: target, takesDuplicates, &counts)
            for name in try DirectoryNames<ExportError>(directory) {
                guard let tenant = AccountLayout.tenant(ofFile: name) else {
                    warnIfOdd(name)
                    continue
                }
                try settings.ensureTenant(tenant)
                try load(tenant: tenant, into: target, takesDuplicates, &counts)
                counts.tenants += 1
            }
            return counts
        }
    }

    /// The official emulator imports such a file into a tenant with an odd name.
    private func warnIfOdd(_ name: String) {
        guard name.contains(AccountLayout.accounts), name != AccountLayout.file(ofTenant: nil) else { return }
        onWarning("\(directory)/\(name) is neither accounts.json nor accounts-TENANT.json: it is not imported")
    }

    private func load(
        tenant: String?,
        into target: ProjectTransaction,
        _ takesDuplicates: Bool,
        _ counts: inout AccountCounts
    ) throws {
        guard let name = AccountLayout.file(ofTenant: tenant) else { return }
        let path = "\(directory)/\(name)"
        if tenant == nil, try FileTree.kind(of: path) == nil {
            return onWarning("\(path) is missing: users of the project itself are not imported")
        }
        let users = try target.ensuredUsers(tenant: tenant)
        let arrival = AccountArrival(users: users, takesDuplicateEmails: takesDuplicates)
        var list = try ListReader(path, onRead: onRead)
        let contents = try list.forEach(in: AccountMember.users) { json, number in
            do {
                try arrival.add(try AccountRecord(json: json).account(in: users.scope, at: now))
            } catch let fault as AccountRecord.Fault {
                throw ExportError.badFile(path, because: "has a user, number \(number), without use: \(fault.reason)")
            }
            counts.users += 1
            try onProgress(counts)
        }
        switch contents {
        case .list: return
        case .failure: onWarning("\(path) holds the error of a failed export in the place of users")
        case .nothing: onWarning("\(path) has no list of users")
        }
    }
}

/// The place where users of an import arrive.
private struct AccountArrival {
    let users: AccountTransaction
    let takesDuplicateEmails: Bool

    /// Stores a user; throws for one who has what another user has already.
    func add(_ account: Account) throws {
        if let email = account.email, !takesDuplicateEmails {
            try refuse(try users.accounts(email: email), but: account, "e-mail address")
        }
        if let number = account.phoneNumber {
            try refuse(try users.account(phoneNumber: number), but: account, "phone number")
        }
        for identity in account.providers ?? [] where !identity.isOfAddressOrNumber {
            let owner = try users.account(provider: identity.providerID, rawID: identity.rawID)
            try refuse(owner, but: account, "identity at \(identity.providerID)")
        }
        for passkey in account.passkeys ?? [] {
            try refuse(try users.account(passkey: passkey.credentialID), but: account, "passkey")
        }
        try users.save(account, replacing: try users.account(id: account.localID), isImported: true)
    }

    private func refuse(_ owner: Account?, but account: Account, _ thing: String) throws {
        try refuse(owner.map { [$0] } ?? [], but: account, thing)
    }

    private func refuse(_ owners: [Account], but account: Account, _ thing: String) throws {
        guard let owner = owners.first(where: { $0.localID != account.localID }) else { return }
        throw AccountRecord.Fault(
            reason: "the user \(account.localID) has the \(thing) of the user \(owner.localID)"
        )
    }
}

extension LinkedProvider {
    fileprivate var isOfAddressOrNumber: Bool { [Self.password, Self.phone].contains(providerID) }
}
