// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// One row of the table of entries.
struct StoredEntry: Hashable {
    let index: Int64
    let key: OrderedKey
    let document: Int64
}

extension SQLiteDocumentStore {
    func indexes() throws -> [IndexCatalog.Member] {
        try read { $0.catalog.members }
    }

    func storedEntries() throws -> Set<StoredEntry> {
        try read { snapshot in
            let rows = try snapshot.db.prepare("SELECT index_id, key, document FROM entries")
            var entries: Set<StoredEntry> = []
            while try rows.step() {
                let key = OrderedKey(rows.bytes(at: 1))
                entries.insert(StoredEntry(index: rows.integer(at: 0), key: key, document: rows.integer(at: 2)))
            }
            return entries
        }
    }

    /// The entries that the existing indexes must hold, computed from every document.
    func expectedEntries() throws -> Set<StoredEntry> {
        try read { snapshot in
            let rows = try snapshot.db.prepare("SELECT id FROM documents")
            var entries: Set<StoredEntry> = []
            while try rows.step() {
                let row = rows.integer(at: 0)
                guard let document = try snapshot.document(inRow: row) else { continue }
                let database = try snapshot.db.first(.documentByID, { $0.bind(row, at: 1) }) {
                    try snapshot.place(of: $0.integer(at: 0)).database
                }
                for index in snapshot.catalog.members
                where index.database == database && index.shape.scope.contains(document.path.collection) {
                    for key in try index.shape.keys(of: document) {
                        entries.insert(StoredEntry(index: index.id, key: key, document: row))
                    }
                }
            }
            return entries
        }
    }

    /// Checks that the indexes have exactly the entries they should have.
    func expectConsistentEntries() throws {
        let stored = try storedEntries()
        let expected = try expectedEntries()
        #expect(stored == expected)
    }
}
