// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension SQLiteObjectStore {
    /// Stores objects as another store had them: all that `body` stores, or nothing when it throws.
    ///
    /// All of it is one transaction: a process that dies on the way leaves nothing but files that the next one removes.
    /// Writers wait meanwhile, and `body` must not call other methods of the store.
    package func importing<Value>(_ body: (ObjectImport) throws -> Value) throws -> Value {
        try changingMany { database, notes in
            do {
                return try body(ObjectImport(store: self, database: database, notes: notes))
            } catch {
                // Now: with the transaction, the notes are gone too.
                try? notes.forEach(.placed) { directory.discardBlob($0) }
                throw error
            }
        }
    }

    /// Stores one object as another store had it; `read` hands out its bytes in order.
    package func importObject(_ object: ImportedObject, reading read: ObjectImport.Reading) throws -> ObjectMetadata {
        try importing { try $0.store(object, reading: read) }
    }
}
