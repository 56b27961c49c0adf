// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension SQLiteObjectStore {
    /// Begins an upload.
    package func beginUpload() throws -> ObjectUpload {
        try ObjectUpload(store: self)
    }

    /// Makes a placed blob the live version at a path, and removes the blob when that fails.
    ///
    /// `alongside` is what else the transaction does, and which blobs it leaves without a name.
    func put(
        _ placement: ObjectPlacement,
        at path: ObjectPath,
        preconditions: ObjectPreconditions,
        alongside: (Database, ObjectMetadata, inout [BlobID]) throws -> Void = { _, _, _ in }
    ) throws -> ObjectMetadata {
        var isCommitting = false
        do {
            return try changing { database, unnamed in
                let stored = try place(
                    placement,
                    at: path,
                    preconditions: preconditions,
                    database: database,
                    unnamed: &unnamed
                )
                try alongside(database, stored, &unnamed)
                isCommitting = true
                return stored
            }
        } catch {
            // A failed COMMIT may still be found committed after a crash; then the row needs its blob.
            // If not, the blob is swept when the store is next opened.
            if !isCommitting { directory.discardBlob(placement.blob) }
            throw error
        }
    }
}
