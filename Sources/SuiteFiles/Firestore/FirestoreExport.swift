// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
package import DocumentStore
package import FirestoreModel

/// Writes documents as the official Firestore emulator's exports have them.
///
/// Create and update times have no place there. All documents are as of one moment, also while requests change them.
package struct FirestoreExport {
    /// The exported documents of a database.
    package struct Folder: Sendable, Hashable {
        /// The database.
        package let database: DatabaseID
        /// The folder's name, in the directory of the export.
        package let name: String
        /// The entry of the export, as seen from that directory.
        package let overallFile: String
    }

    let store: SQLiteDocumentStore
    /// Receives what is left out.
    package var onWarning: (String) -> Void = { _ in }
    /// Called after some documents each, and at the end of a database; may throw to stop.
    package var onProgress: (DocumentCounts) throws -> Void = { _ in }

    /// Exports from a store.
    package init(store: SQLiteDocumentStore) {
        self.store = store
    }

    /// Writes all databases of a project, each into a folder of its own.
    ///
    /// - Parameters:
    ///   - project: The project; its default database is written even if it is empty.
    ///   - directory: A directory that has none of these folders.
    /// - Returns: The folders, and how much there is in all of them; the first is that of the default database.
    /// - Throws: `ExportError` when the disk refuses, `FirestoreError` when the store does, and errors of `onProgress`.
    package func write(project: String, to directory: String) throws -> (folders: [Folder], counts: DocumentCounts) {
        try store.scanning { scan in
            let standard = DatabaseID(project: project)
            let databases = try scan.databases()
            let others = databases.filter { $0.project == project && $0 != standard }
            let strange = NameList(Set(databases.map(\.project)).subtracting([project]).sorted())
            if strange.count > 0 {
                onWarning("left out of the export: documents of projects other than \(project) (\(strange))")
            }
            var counts = DocumentCounts()
            let folders = try ([standard] + others.sorted { $0.database < $1.database }).map { database in
                let name = FirestoreLayout.folder(of: database)
                try write(database, of: scan, to: directory, named: name, counts: &counts)
                return Folder(
                    database: database,
                    name: name,
                    overallFile: "\(name)/\(name)\(FirestoreLayout.overallExtension)"
                )
            }
            return (folders, counts)
        }
    }

    /// Writes one database.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - directory: The directory in which a folder is made.
    ///   - name: The folder's name; there must be none yet.
    /// - Returns: How much there is.
    /// - Throws: As ``write(project:to:)``.
    package func write(
        _ database: DatabaseID,
        to directory: String,
        named name: String
    ) throws -> DocumentCounts {
        try store.scanning { scan in
            var counts = DocumentCounts()
            try write(database, of: scan, to: directory, named: name, counts: &counts)
            return counts
        }
    }

    private func write(
        _ database: DatabaseID,
        of scan: DocumentScan,
        to directory: String,
        named name: String,
        counts: inout DocumentCounts
    ) throws {
        let folder = "\(directory)/\(name)"
        try FileTree.createDirectory(folder)
        var metadata = OverallMetadata()
        if let kind = try writeEntities(database, of: scan, to: folder, named: name, counts: &counts) {
            metadata.kinds.append(kind)
        }
        try metadata.write(to: "\(folder)/\(name)\(FirestoreLayout.overallExtension)")
        try onProgress(counts)
    }

    /// Writes the entities of a database; `nil` where there are none, and no files then.
    private func writeEntities(
        _ database: DatabaseID,
        of scan: DocumentScan,
        to folder: String,
        named name: String,
        counts: inout DocumentCounts
    ) throws -> OverallMetadata.Kind? {
        let before = counts.documents
        let encoder = EntityEncoder(database: database)
        var log: RecordLogWriter?
        try scan.visitDocuments(of: database) { path, fields in
            let entity = try encode(path, fields, with: encoder)
            var writer = try log.take() ?? beginOutput(in: folder)
            try writer.append(entity)
            log = writer
            try counts.add(onProgress)
        }
        guard var log else { return nil }
        try log.flush()
        try KindMetadata(outputs: [FirestoreLayout.output])
            .write(to: "\(folder)/\(FirestoreLayout.kindsFile)", exportNamed: name, at: scan.time)
        let documents = Int64(counts.documents - before)
        return OverallMetadata.Kind(path: FirestoreLayout.kindsFile, documents: documents, bytes: log.byteCount)
    }

    private func beginOutput(in folder: String) throws -> RecordLogWriter {
        let kinds = "\(folder)/\(FirestoreLayout.kindsFolder)"
        try FileTree.createDirectories(kinds)
        return RecordLogWriter(try .creating("\(kinds)/\(FirestoreLayout.output)"))
    }

    private func encode(
        _ path: DocumentPath,
        _ fields: UnsafeRawBufferPointer,
        with encoder: EntityEncoder
    ) throws -> [UInt8] {
        do {
            return try encoder.encode(path, fields: fields)
        } catch {
            throw FirestoreError.damaged(path)
        }
    }
}
