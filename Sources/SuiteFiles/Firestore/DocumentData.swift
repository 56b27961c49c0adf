// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
package import DocumentStore
import FirestoreModel
package import JSON

/// The documents of a project, as a part of exports and imports.
///
/// The databases beside the default one are named in a member of our own, which the official tools pass over.
package struct DocumentData: ExportPart, ImportPart {
    private enum Member {
        static let file = "metadata_file"
        static let databases = "databases"
        static let database = "database"
        static let path = "path"
    }

    package let service = "firestore"
    private let store: SQLiteDocumentStore
    private let project: String

    /// Exports and imports a project.
    ///
    /// - Parameters:
    ///   - store: The documents.
    ///   - project: The project's id.
    package init(store: SQLiteDocumentStore, project: String) {
        (self.store, self.project) = (store, project)
    }

    package func write(in root: String, _ counts: inout ExportCounts, _ work: TransferWork) throws -> JSONValue {
        let earlier = counts
        var export = FirestoreExport(store: store)
        export.onWarning = work.onWarning
        export.onProgress = { written in
            var reached = earlier
            reached.documents += written.documents
            try work.onProgress(reached)
        }
        let (folders, written) = try export.write(project: project, to: root)
        counts.documents += written.documents
        var members: [String: JSONValue] = ["version": .string(ExportLayout.version)]
        members.merge(folders.first.map(Self.members) ?? [:]) { $1 }
        let others = folders.dropFirst()
        if !others.isEmpty {
            members[Member.databases] = .array(
                others.map { folder in
                    .object(
                        Self.members(of: folder).merging([Member.database: .string(folder.database.database)]) { $1 }
                    )
                }
            )
        }
        return .object(members)
    }

    private static func members(of folder: FirestoreExport.Folder) -> [String: JSONValue] {
        [Member.path: .string(folder.name), Member.file: .string(folder.overallFile)]
    }

    package func isAlone(in root: String) throws -> Bool {
        guard try FileTree.kind(of: root) == .directory else { return false }
        return try FirestoreImport.overallFile(in: root) != nil
    }

    package func byteCount(of source: ImportSource) throws -> Int64 {
        try FirestoreImport(store: store, sources: try sources(source)).byteCount()
    }

    package func read(_ source: ImportSource, _ counts: inout ExportCounts, _ work: TransferWork) throws {
        let earlier = counts
        var load = FirestoreImport(store: store, sources: try sources(source))
        load.onWarning = work.onWarning
        load.onRead = work.onRead
        load.onProgress = { loaded in
            var reached = earlier
            reached.documents += loaded.documents
            try work.onProgress(reached)
        }
        counts.documents += try load.run().documents
    }

    private func sources(_ source: ImportSource) throws -> [FirestoreImport.Source] {
        guard let manifest = source.manifest, let entry = manifest[service] else {
            guard let file = try FirestoreImport.overallFile(in: source.root) else { return [] }
            let database = try FirestoreImport.database(of: file) ?? DatabaseID(project: project).database
            return [.init(overallFile: file, database: DatabaseID(project: project, database: database))]
        }
        let others = entry[Member.databases]?.array ?? []
        return try [(entry, DatabaseID(project: project))].compactMap { try self.source($0, $1, in: source.root) }
            + others.compactMap { other in
                guard let name = other[Member.database]?.string else { return nil }
                return try self.source(other, DatabaseID(project: project, database: name), in: source.root)
            }
    }

    /// The export that an entry names; `nil` where it names none.
    private func source(
        _ entry: JSONValue,
        _ database: DatabaseID,
        in root: String
    ) throws -> FirestoreImport.Source? {
        if let file = entry[Member.file]?.string {
            try ExportManifest.requireWithin(file, of: service, "\(root)/\(ExportLayout.manifest)")
            try FileTree.refuseLinks(file, in: root)
            return .init(overallFile: "\(root)/\(file)", database: database)
        }
        guard let path = entry[Member.path]?.string else { return nil }
        try ExportManifest.requireWithin(path, of: service, "\(root)/\(ExportLayout.manifest)")
        try FileTree.refuseLinks(path, in: root)
        return try FirestoreImport.overallFile(in: "\(root)/\(path)").map { .init(overallFile: $0, database: database) }
    }
}
