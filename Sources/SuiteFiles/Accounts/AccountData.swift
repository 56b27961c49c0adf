// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import AccountStore
import Basics
package import JSON

/// The Authentication data of a project, as a part of exports and imports.
package struct AccountData: ExportPart, ImportPart {
    private static let directory = "auth_export"

    package let service = "auth"
    private let store: SQLiteAccountStore
    private let project: String
    private let defaults: AccountDefaults
    private let takesDuplicateEmails: Bool
    private let now: @Sendable () -> Int64

    /// Exports and imports a project.
    ///
    /// - Parameters:
    ///   - store: The accounts.
    ///   - project: The project's id.
    ///   - defaults: The settings of projects and tenants that have none of their own.
    ///   - takesDuplicateEmails: Whether users may share an address that settings do not allow to be shared, as in
    ///     production's imports.
    ///   - now: Milliseconds since 1970.
    package init(
        store: SQLiteAccountStore,
        project: String,
        defaults: AccountDefaults,
        takesDuplicateEmails: Bool,
        now: @escaping @Sendable () -> Int64
    ) {
        (self.store, self.project, self.defaults, self.now) = (store, project, defaults, now)
        self.takesDuplicateEmails = takesDuplicateEmails
    }

    package func write(in root: String, _ counts: inout ExportCounts, _ work: TransferWork) throws -> JSONValue {
        let directory = "\(root)/\(Self.directory)"
        try FileTree.createDirectory(directory)
        let earlier = counts
        var export = AccountExport(store: store, project: project, defaults: defaults)
        export.onWarning = work.onWarning
        export.onProgress = { written in
            var reached = earlier
            reached.users += written.users
            try work.onProgress(reached)
        }
        counts.users += try export.write(to: directory).users
        return ExportManifest.entry(at: Self.directory)
    }

    package func isAlone(in root: String) throws -> Bool {
        try FileTree.kind(of: "\(root)/\(AccountLayout.accounts)\(AccountLayout.fileExtension)") == .regular
    }

    package func byteCount(of source: ImportSource) throws -> Int64 {
        let directory = try self.directory(in: source)
        var count: Int64 = 0
        let names = try DirectoryNames<ExportError>(directory)
        while let name = names.next() {
            guard name == AccountLayout.file(ofTenant: nil) || AccountLayout.tenant(ofFile: name) != nil else {
                continue
            }
            count = count.joined(with: try ExportFile.reading("\(directory)/\(name)").status().byteCount)
        }
        return count
    }

    /// Returns the directory that holds `accounts.json`.
    private func directory(in source: ImportSource) throws -> String {
        guard let path = try source.manifest?.path(of: service, in: source.root) else { return source.root }
        try FileTree.refuseLinks(path, in: source.root)
        return "\(source.root)/\(path)"
    }

    package func read(_ source: ImportSource, _ counts: inout ExportCounts, _ work: TransferWork) throws {
        let earlier = counts
        var load = AccountImport(
            store: store,
            project: project,
            directory: try directory(in: source),
            defaults: defaults,
            now: now()
        )
        load.takesDuplicateEmails = takesDuplicateEmails
        load.onWarning = work.onWarning
        load.onRead = work.onRead
        load.onProgress = { loaded in
            var reached = earlier
            reached.users += loaded.users
            try work.onProgress(reached)
        }
        counts.users += try load.run().users
    }
}
