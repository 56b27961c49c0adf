// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing

@testable import DocumentStore

struct IndexConsistencyTests {
    @Test(arguments: [21, 22, 23] as [UInt64])
    func `indexes hold exactly the entries of the documents`(seed: UInt64) throws {
        var random = try RandomQueries(seed: seed)
        let store = try makeStore()
        for _ in 0..<30 {
            let deletions = try (0..<4).map { _ in Write.delete(try random.path()) }
            let sets = try (0..<6).map { _ in Write.set(try random.path(), fields: random.fields()) }
            let writes = deletions + sets
            _ = try store.commit(writes, in: demo)
        }
        #expect(try storedEntries(store) == expectedEntries(store))
    }

    @Test func `an emptied store has no entries`() throws {
        var random = try RandomQueries(seed: 24)
        let store = try makeStore()
        let documents = try random.documents(count: 50)
        _ = try store.commit(documents.map { .set($0.path, fields: $0.fields) }, in: demo)
        #expect(try !storedEntries(store).isEmpty)
        _ = try store.commit(documents.map { .delete($0.path) }, in: demo)
        #expect(try storedEntries(store).isEmpty)
    }

    private struct Entry: Hashable {
        let scope: [UInt8]
        let kind: Int64
        let field: [UInt8]
        let key: [UInt8]
        let document: Int64
    }

    private func storedEntries(_ store: SQLiteDocumentStore) throws -> Set<Entry> {
        try store.database.read { db in
            let sql = """
                SELECT s.key, s.kind, e.field, e.key, e.document
                FROM index_entries AS e LEFT JOIN scopes AS s ON s.id = e.scope
                """
            let rows = try Row.fetchAll(db, sql: sql)
            let entries = try rows.map { row in
                Entry(
                    scope: try row.bytes(atIndex: 0),
                    kind: row[1],
                    field: try row.bytes(atIndex: 2),
                    key: try row.bytes(atIndex: 3),
                    document: row[4]
                )
            }
            return Set(entries)
        }
    }

    private func expectedEntries(_ store: SQLiteDocumentStore) throws -> Set<Entry> {
        try store.database.read { db in
            var entries: Set<Entry> = []
            for row in try Row.fetchAll(db, sql: "SELECT id, path, data FROM documents") {
                let path = try PathKeyDecoder.decode(try row.bytes(atIndex: 1))
                let fields = try FieldsDecoder.decode(try row.bytes(atIndex: 2))
                for (scope, name) in IndexScope.scopes(of: path) {
                    for entry in IndexEntry.entries(of: fields) {
                        let key = entry.value.bytes + name.bytes
                        let kind = scope.kind.rawValue
                        entries.insert(
                            Entry(scope: scope.key, kind: kind, field: entry.field.bytes, key: key, document: row[0])
                        )
                    }
                }
            }
            return entries
        }
    }
}
