// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
package import DocumentStore
package import FirestoreModel

/// Loads documents from exports of the official Firestore emulator, of any of its versions, and of production.
///
/// All or nothing: it is one transaction of the store. Documents of the same names are replaced, others stay. Documents
/// come into the importing project, and only those of the database that they are to come into.
package struct FirestoreImport {
    /// An export and the database that its documents come into.
    package struct Source: Sendable, Hashable {
        /// The path of the `….overall_export_metadata` file.
        package let overallFile: String
        /// The database; of the export only documents of a database of this name are taken.
        package let database: DatabaseID

        /// Names an export and its database.
        package init(overallFile: String, database: DatabaseID) {
            (self.overallFile, self.database) = (overallFile, database)
        }
    }

    let store: SQLiteDocumentStore
    let sources: [Source]
    /// Receives what is left out.
    package var onWarning: (String) -> Void = { _ in }
    /// Called after some documents each, and at the end; may throw to stop.
    package var onProgress: (DocumentCounts) throws -> Void = { _ in }
    /// Takes the size of each piece of the files of documents.
    package var onRead: (Int) -> Void = { _ in }

    /// Imports exports into a store.
    package init(store: SQLiteDocumentStore, sources: [Source]) {
        (self.store, self.sources) = (store, sources)
    }

    /// Finds the entry of an export in its directory; `nil` where there is none.
    ///
    /// - Parameter directory: The directory, such as one that was copied from a bucket.
    /// - Returns: The path of the file.
    /// - Throws: `ExportError` for a directory that cannot be read, or that holds several.
    package static func overallFile(in directory: String) throws -> String? {
        let names = try FileTree.names(in: directory).filter { $0.hasSuffix(FirestoreLayout.overallExtension) }
        guard names.count < 2 else {
            let list = names.sorted().joined(separator: ", ")
            throw ExportError.badFile(directory, because: "holds several exports (\(list)); choose one of these files")
        }
        return names.first.map { "\(directory)/\($0)" }
    }

    /// Imports everything.
    ///
    /// - Returns: How much was read.
    /// - Throws: `ExportError` for files that are damaged or missing, with the official emulator's words first;
    ///   `FirestoreError` when the store refuses, and errors of `onProgress`.
    package func run() throws -> DocumentCounts {
        try store.importing { target in
            var counts = DocumentCounts()
            for source in sources { try load(source, into: target, counts: &counts) }
            try onProgress(counts)
            return counts
        }
    }

    /// The database of an export's first document, such as one of production has; `nil` where there is none.
    static func database(of overallFile: String) throws -> String? {
        struct Found: Error {
            let name: String
        }
        do {
            try visitOutputs(of: overallFile) { path in
                var log = RecordLogReader(try output(path))
                try log.visit { record in throw Found(name: try EntityDecoder.database(of: record)) }
            }
            return nil
        } catch let found as Found {
            return found.name
        } catch let fault as EntityFault {
            throw ExportError.badEntityFile(overallFile, because: fault.reason)
        }
    }

    /// Visits the files of entities that an export names.
    private static func visitOutputs(of overallFile: String, _ visit: (_ path: String) throws -> Void) throws {
        let overall = FileTree.absolute(overallFile)
        let place = ExportPlace(folder: "/" + ExportPlace.folder(of: overall))
        for kind in try OverallMetadata.read(overall).kinds {
            let path = try place.resolve(kind.path, namedIn: overall)
            for output in try KindMetadata.read(place.file(path)).outputs {
                let folder = ExportPlace.folder(of: path)
                try visit(place.file(try place.resolve(output, from: folder, namedIn: place.file(path))))
            }
        }
    }

    /// The size of the files of documents.
    func byteCount() throws -> Int64 {
        var count: Int64 = 0
        for source in sources {
            try Self.visitOutputs(of: source.overallFile) { output in
                count = count.joined(with: try Self.output(output).status().byteCount)
            }
        }
        return count
    }

    private func load(_ source: Source, into target: DocumentImport, counts: inout DocumentCounts) throws {
        let overall = FileTree.absolute(source.overallFile)
        var omitted = 0
        try Self.visitOutputs(of: overall) { path in
            omitted += try load(path, into: target, source.database, counts: &counts)
        }
        if omitted > 0 {
            onWarning(
                "left out of \(overall): documents of other databases than \(source.database.database) (\(omitted))"
            )
        }
    }

    /// Imports the documents of one output; returns how many are of other databases.
    private func load(
        _ path: String,
        into target: DocumentImport,
        _ database: DatabaseID,
        counts: inout DocumentCounts
    ) throws -> Int {
        var log = RecordLogReader(try Self.output(path), onRead: onRead)
        let decoder = EntityDecoder(database: database)
        var (recordCount, omitted) = (0, 0)
        try log.visit { record in
            recordCount += 1
            guard let document = try decode(record, number: recordCount, of: path, with: decoder) else {
                omitted += 1
                return
            }
            try target.put(document.path, fields: document.fields, in: database)
            try counts.add(onProgress)
        }
        return omitted
    }

    private static func output(_ path: String) throws -> ExportFile {
        do {
            return try .reading(path)
        } catch let error as ExportError where error.code == .badData {
            throw ExportError.badEntityFile(path, because: error.description)
        }
    }

    private func decode(
        _ record: UnsafeRawBufferPointer,
        number: Int,
        of path: String,
        with decoder: EntityDecoder
    ) throws -> (path: DocumentPath, fields: EncodedFields)? {
        do {
            return try decoder.decode(record)
        } catch let fault as EntityFault {
            throw ExportError.badEntityFile(path, because: "record \(number): \(fault.reason)")
        } catch let error as FirestoreError {
            throw ExportError.badEntityFile(path, because: "record \(number): \(error.message)")
        }
    }
}
