// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

// The questions about single rows, asked by readers and the writer alike.

extension SQLiteConnection {
    /// The time of the last commit, and how often the indexes changed.
    func timeline() throws -> (lastCommit: Timestamp, catalogVersion: Int64) {
        let row = try first(.timeline) { (Timestamp(microseconds: $0.integer(at: 0)), $0.integer(at: 1)) }
        guard let row else { throw FirestoreError.corrupted("no timeline") }
        return row
    }

    func row(of database: DatabaseID) throws -> Int64? {
        try first(.database, database.bind) { $0.integer(at: 0) }
    }

    /// When all documents of a database were last deleted at once.
    func clearTime(of database: DatabaseID) throws -> Timestamp? {
        try first(.database, database.bind) { Timestamp(microseconds: $0.integer(at: 1)) }
    }

    func row(of collection: CollectionPath, in database: Int64) throws -> Int64? {
        try first(.collection) { statement in
            statement.bind(database, at: 1)
            statement.bind(OrderedKey(collection).bytes, at: 2)
        } _: {
            $0.integer(at: 0)
        }
    }

    func place(of collection: Int64) throws -> CollectionPlace {
        let place = try first(.collectionByID) {
            $0.bind(collection, at: 1)
        } _: { row in
            CollectionPlace(
                database: row.integer(at: 0),
                path: try PathKeyDecoder.decodeCollection(row.bytes(at: 1))
            )
        }
        guard let place else { throw FirestoreError.corrupted("a document without its collection") }
        return place
    }

    func storedDocument(at path: DocumentPath, in collection: Int64) throws -> StoredDocument? {
        try OrderedKey(nameOf: path).bytes.withUnsafeBytes { name in
            try first(.documentByName) { statement in
                statement.bind(collection, at: 1)
                statement.bind(inPlace: name, at: 2)
            } _: { row in
                StoredDocument(row: row.integer(at: 0), document: row.document(at: path, column: 1))
            }
        }
    }
}

extension SQLiteStatement {
    /// A document from three columns: the times and the fields.
    func document(at path: DocumentPath, column: Int32) -> Document {
        Document(
            path: path,
            encodedFields: EncodedFields(stored: bytes(at: column + 2)),
            createTime: Timestamp(microseconds: integer(at: column)),
            updateTime: Timestamp(microseconds: integer(at: column + 1))
        )
    }

    /// A document's path from its name in a collection.
    func path(in collection: CollectionPath, column: Int32) throws -> DocumentPath {
        try withBytes(at: column) { name in
            var decoder = PathKeyDecoder(name)
            guard let id = try decoder.nextSegment() else { throw FirestoreError.corrupted("a path") }
            var segments: [String] = []
            segments.reserveCapacity(collection.segments.count + 1)
            segments += collection.segments
            segments.append(id)
            return DocumentPath(validated: segments)
        }
    }
}

extension DatabaseID {
    fileprivate func bind(_ statement: SQLiteStatement) {
        statement.bind(project, at: 1)
        statement.bind(database, at: 2)
    }
}
