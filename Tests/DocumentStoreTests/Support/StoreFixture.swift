// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

/// A moment for all tests: the clock stands still, commits advance by a microsecond.
let noon = Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_000)

let demo = DatabaseID(project: "demo")

/// A store in memory; it builds an index as soon as a query would look through more documents than given.
func makeStore(scanCountMax: Int? = nil) throws -> SQLiteDocumentStore {
    var limits = IndexLimits()
    limits.scanCountMax = scanCountMax ?? limits.scanCountMax
    return try SQLiteDocumentStore(location: .memory, clock: { noon }, indexLimits: limits)
}

func path(_ text: String) throws -> DocumentPath {
    try DocumentPath(parsing: text)
}

func field(_ text: String) throws -> FieldPath {
    try FieldPath(parsing: text)
}

func reference(_ text: String, in database: DatabaseID = demo) throws -> Value {
    .reference(DocumentReference(database: database, path: try path(text)))
}

extension SQLiteDocumentStore {
    func put(_ text: String, _ fields: [String: Value], in database: DatabaseID = demo) throws {
        _ = try commit([.set(path(text), fields: fields)], in: database)
    }

    func fields(_ text: String, in database: DatabaseID = demo) throws -> [String: Value]? {
        try document(text, in: database)?.fields
    }

    func document(_ text: String, in database: DatabaseID = demo) throws -> Document? {
        guard case .found(let document) = try get([path(text)], in: database).entries.first else { return nil }
        return document
    }

    /// The paths of a query's documents.
    func paths(_ query: Query, in database: DatabaseID = demo) throws -> [String] {
        try run(query, in: database).documents.map(\.path.description)
    }
}

extension Query {
    /// A query over a root collection.
    init(_ collectionID: String, where filter: Filter? = nil, orderBy: [Ordering] = [], limit: Int? = nil) {
        self.init(source: Source(collectionID: collectionID), filter: filter, orderBy: orderBy, limit: limit)
    }
}

/// The message with which something is refused; `nil` when it is not.
func refusal(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch let error as DocumentStoreError {
        return "\(error.code.rawValue): \(error.message)"
    } catch {
        return "unexpected \(type(of: error))"
    }
}
