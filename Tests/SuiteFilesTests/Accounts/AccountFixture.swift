// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Foundation
import JSON
import SuiteFiles
import TestSupport

/// A store, and a directory `auth_export` in which a test lays out what the official emulators would have written.
struct AccountFixture {
    /// The time of imports: 2026-11-28T00:00:00Z, in milliseconds since the Unix epoch.
    static let now: Int64 = 1_795_824_000_000
    static let project = "demo"
    static let defaults = AccountDefaults(project: .object(["signIn": .object([:])]), tenant: tenantDefaults)

    static func tenantDefaults(_ id: String) -> JSONValue {
        .object(["tenantId": .string(id), "allowPasswordSignup": .bool(true)])
    }

    let directory = TemporaryDirectory()
    let store: SQLiteAccountStore

    init() throws {
        store = SQLiteAccountStore(path: directory.file("accounts.sqlite"), isDurable: false)
        try directory.makeFolder("auth_export")
    }

    /// Where the export is.
    var path: String { directory.file("auth_export") }

    func write(_ text: String, to name: String) throws { try directory.write(text.utf8, to: "auth_export/\(name)") }

    func writeUsers(_ users: String, to name: String = "accounts.json") throws {
        try write(#"{"kind":"identitytoolkit#DownloadAccountResponse","users":[\#(users)]}"#, to: name)
    }

    func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    func json(_ name: String) throws -> JSONValue { try JSONValue(parsing: Array(text(name).utf8)) }

    /// Imports and returns the warnings, in which the directory is left out.
    @discardableResult
    func load(
        project: String = Self.project,
        from other: AccountFixture? = nil,
        _ change: (inout AccountImport) -> Void = { _ in }
    ) throws -> (counts: AccountCounts, warnings: [String]) {
        let source = (other ?? self).path
        var warnings: [String] = []
        var work = AccountImport(
            store: store,
            project: project,
            directory: source,
            defaults: Self.defaults,
            now: Self.now
        )
        work.onWarning = { warnings.append($0.replacingOccurrences(of: source + "/", with: "")) }
        change(&work)
        return (try work.run(), warnings)
    }

    /// The message of an import's error, in which the directory is left out; `nil` when it throws none.
    func loadFailure(_ change: (inout AccountImport) -> Void = { _ in }) throws -> String? {
        do {
            try load(change)
            return nil
        } catch let error as ExportError {
            return error.description.replacingOccurrences(of: path + "/", with: "")
        }
    }

    @discardableResult
    func export() throws -> AccountCounts {
        try AccountExport(store: store, project: Self.project, defaults: Self.defaults).write(to: path)
    }

    /// Stores users as they are.
    func save(_ accounts: Account..., tenant: String? = nil) throws {
        try store.writing(AccountScope(project: Self.project, tenant: tenant)) { transaction in
            for account in accounts { try transaction.save(account, replacing: nil) }
        }
    }

    func account(_ id: String, tenant: String? = nil) throws -> Account? {
        try store.reading(AccountScope(project: Self.project, tenant: tenant)) { try $0.account(id: id) }
    }

    /// Everything that a project has.
    func contents(of project: String = Self.project) throws -> [String: Contents] {
        try store.reading(project: project) { transaction in
            var all: [String: Contents] = [:]
            all[""] = try transaction.users(tenant: nil).map(Contents.init)
            try transaction.forEachTenant { all[$0] = try Contents($1) }
            return all
        }
    }

    /// Everything that a project or tenant has.
    struct Contents: Equatable {
        var settings: JSONValue?
        var accounts: [Account] = []
        var providers: [String: JSONValue] = [:]

        init(_ users: AccountTransaction) throws {
            settings = try users.settings()
            try users.forEachAccount { accounts.append($0) }
            try users.forEachProvider { providers["\($0)/\($1)"] = $2 }
        }
    }
}
