// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// All documents of a store as of one moment; valid only while the scan runs.
package struct DocumentScan {
    let snapshot: StoreSnapshot

    /// The moment.
    package var time: Timestamp { snapshot.readTime }

    /// The databases that have documents.
    ///
    /// - Throws: `FirestoreError` when the file cannot be read.
    package func databases() throws -> [DatabaseID] {
        try snapshot.db.with(.databasesWithDocuments) { rows in
            var databases: [DatabaseID] = []
            while try rows.step() {
                databases.append(DatabaseID(project: rows.text(at: 0), database: rows.text(at: 1)))
            }
            return databases
        }
    }

    /// Hands out every document of a database in the order of collections and names, without holding them.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - visit: Receives a document's path and its fields as they are stored, which are valid for the call only.
    /// - Throws: `FirestoreError` for a damaged file, and the errors of `visit`.
    package func visitDocuments(
        of database: DatabaseID,
        _ visit: (DocumentPath, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let row = try snapshot.row(of: database) else { return }
        var paths = ScannedPaths()
        try snapshot.db.with(.documentsOfDatabase) { rows in
            rows.bind(row, at: 1)
            while try rows.step() {
                let document = try paths.path(of: rows)
                try rows.withBytes(at: 3) { try visit(document, $0) }
            }
        }
    }
}

/// The paths of documents in rows that begin with the collection's number, its key and the document's name.
struct ScannedPaths {
    /// The collection of the last row, whose key is not decoded for each document.
    private var collection: (row: Int64, path: CollectionPath)?

    mutating func path(of rows: SQLiteStatement) throws -> DocumentPath {
        let number = rows.integer(at: 0)
        let path =
            try collection.flatMap { $0.row == number ? $0.path : nil }
            ?? PathKeyDecoder.decodeCollection(rows.bytes(at: 1))
        collection = (number, path)
        return try rows.path(in: path, column: 2)
    }
}

extension SQLiteDocumentStore {
    /// Runs a body on all documents as of one moment; writers proceed meanwhile, except in memory.
    ///
    /// - Parameter body: Visits the documents; receives the scan, which it must not keep.
    /// - Returns: The result of `body`.
    /// - Throws: `FirestoreError`, and the errors of `body`.
    package func scanning<Result>(_ body: (DocumentScan) throws -> Result) throws -> Result {
        try read { try body(DocumentScan(snapshot: $0)) }
    }
}
