// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension SQLiteObjectStore {
    /// When a change of attributes counts as a new metageneration.
    package enum MetagenerationRule: Sendable {
        /// Always, as production counts each PATCH.
        case always
        /// Only when the attributes differ afterwards; for changes that first look whether they are needed.
        case whenChanged
    }

    /// Returns an object's metadata without touching its bytes; `nil` when there is none.
    package func metadata(at path: ObjectPath) throws -> ObjectMetadata? {
        try row(at: path)?.metadata
    }

    /// Opens an object for reading; `nil` when there is none.
    package func open(_ path: ObjectPath) throws -> ObjectReader? {
        var missing: BlobID?
        while let row = try row(at: path) {
            if let file = try StoreFile.openingForReading(directory.blobPath(row.blob)) {
                return try ObjectReader(metadata: row.metadata, file: file)
            }
            // Replaced between the look-up and the opening: look again. The same blob missing twice was never there.
            guard row.blob != missing else { throw ObjectStoreError.blobMissing(path) }
            missing = row.blob
        }
        return nil
    }

    /// Changes an object's attributes in one transaction; `nil` when there is no object.
    ///
    /// An absent object is still checked against the preconditions, as of generation 0.
    package func update(
        at path: ObjectPath,
        preconditions: ObjectPreconditions = .none,
        countingMetageneration rule: MetagenerationRule = .always,
        _ change: (inout ObjectAttributes) throws -> Void
    ) throws -> ObjectMetadata? {
        try writing { database in
            let table = try ObjectTable(database, bucket: path.bucket)
            let existing = try table?.row(path.name)
            try preconditions.check(existing?.metadata, at: path)
            guard let table, var row = existing else { return nil }
            try change(&row.metadata.attributes)
            if rule == .whenChanged, row.metadata == existing?.metadata { return row.metadata }
            try row.metadata.attributes.validate()
            row.metadata.metageneration += 1
            row.metadata.updated = clock()
            try table.put(row)
            return row.metadata
        }
    }

    /// Deletes an object; `false` when there is none.
    ///
    /// An absent object is still checked against the preconditions, as of generation 0.
    package func delete(at path: ObjectPath, preconditions: ObjectPreconditions = .none) throws -> Bool {
        let removed: BlobID? = try writing { database in
            let table = try ObjectTable(database, bucket: path.bucket)
            let existing = try table?.row(path.name)
            try preconditions.check(existing?.metadata, at: path)
            try table?.delete(path.name)
            return existing?.blob
        }
        // Only now: until the commit the row may come back. Open readers keep the file.
        if let removed { directory.discardBlob(removed) }
        return removed != nil
    }

    private func row(at path: ObjectPath) throws -> ObjectRow? {
        try reading { try ObjectTable($0, bucket: path.bucket)?.row(path.name) }
    }
}
