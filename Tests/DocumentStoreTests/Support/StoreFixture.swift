// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreSamples

/// A store in memory; it builds an index as soon as a query would look through more documents than given.
func makeStore(scanCountMax: Int? = nil) throws -> SQLiteDocumentStore {
    var limits = IndexLimits()
    limits.scanCountMax = scanCountMax ?? limits.scanCountMax
    return try SQLiteDocumentStore(location: .memory, clock: { noon }, indexLimits: limits)
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
