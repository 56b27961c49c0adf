// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import GRDB

extension SQLiteObjectStore {
    /// When a change of attributes counts as a new metageneration.
    package enum MetagenerationRule: Sendable {
        /// Always, as production counts each PATCH.
        case always
        /// Only when the attributes differ afterwards; for changes that first look whether they are needed.
        case whenChanged
    }

    /// Returns a version's metadata without touching its bytes, the live one's where no generation is named; `nil` when
    /// there is none.
    package func metadata(at path: ObjectPath, generation: Int64? = nil) throws -> ObjectMetadata? {
        try row(at: path, generation: generation)?.metadata
    }

    /// Opens a version for reading, the live one where no generation is named; `nil` when there is none.
    package func open(_ path: ObjectPath, generation: Int64? = nil) throws -> ObjectReader? {
        var missing: BlobID?
        while true {
            // Before the row is read: a change that comes between makes the stamp old, not the row seem new.
            let stamp = stamps.stamp(path.name.description.utf8)
            guard let row = try row(at: path, generation: generation) else { return nil }
            if let file = try StoreFile(ifThere: directory.blobPath(row.blob), .reading) {
                return try ObjectReader(metadata: row.metadata, stamp: stamp, file: file)
            }
            // Replaced between the look-up and the opening: look again. The same blob missing twice was never there.
            guard row.blob != missing else { throw ObjectStoreError.blobMissing(path) }
            missing = row.blob
        }
    }

    /// Changes a version's attributes in one transaction; `nil` when there is no such version, whatever the preconditions.
    ///
    /// `authorize` throws where the object must not be changed so, before the preconditions are reported.
    package func update(
        at path: ObjectPath,
        generation: Int64? = nil,
        preconditions: ObjectPreconditions = .none,
        countingMetageneration rule: MetagenerationRule = .always,
        authorizing authorize: ((_ former: ObjectMetadata, _ object: ObjectMetadata) throws -> Void)? = nil,
        _ change: (inout ObjectAttributes) throws -> Void
    ) throws -> ObjectMetadata? {
        try writing { database in
            let table = try ObjectTable(database, bucket: path.bucket)
            let existing = try table?.current(path.name, generation: generation)
            guard let table, var row = existing else { return nil }
            if let authorize {
                var changed = row.metadata
                try change(&changed.attributes)
                try authorize(row.metadata, changed)
            }
            try preconditions.check(row.metadata, at: path)
            try change(&row.metadata.attributes)
            if rule == .whenChanged, row.metadata == existing?.metadata { return row.metadata }
            try row.metadata.attributes.validate()
            let wasHeld = existing?.metadata.attributes.hasEventBasedHold == true
            if wasHeld, row.metadata.attributes.hasEventBasedHold != true { row.metadata.timeReleased = clock() }
            row.metadata.retain(asRequiredBy: table.bucket.metadata.settings)
            row.metadata.metageneration += 1
            row.metadata.updated = clock()
            try table.put(row)
            events.add(.metadataUpdated, row.metadata)
            return row.metadata
        }
    }

    /// Deletes an object: the live version, which a versioned bucket keeps as a noncurrent one, or for good the version of
    /// a generation.
    ///
    /// Returns `false` when there is none, whatever the preconditions; throws `preconditionFailed`, `notModified`, `held`
    /// and `retained`.
    package func delete(
        at path: ObjectPath,
        generation: Int64? = nil,
        preconditions: ObjectPreconditions = .none
    ) throws -> Bool {
        try changing(.deleting) { database, unnamed in
            let table = try ObjectTable(database, bucket: path.bucket)
            let existing = try table?.current(path.name, generation: generation)
            guard let table, let row = existing else { return false }
            try preconditions.check(row.metadata, at: path)
            let now = clock()
            try requireRemovable(row.metadata, at: now)
            if generation == nil { try table.retire(row, at: now) } else { try table.remove(row, at: now) }
            let isArchived = generation == nil && table.bucket.metadata.settings.isVersioned
            events.add(isArchived ? .archived : .deleted, row.metadata)
            if let blob = try table.unnamed(row.blob) { unnamed.append(blob) }
            return true
        }
    }

    private func row(at path: ObjectPath, generation: Int64?) throws -> ObjectRow? {
        try reading { try ObjectTable($0, bucket: path.bucket)?.current(path.name, generation: generation) }
    }
}

extension ObjectTable {
    /// Returns a version that is not softly deleted.
    func current(_ name: ObjectName, generation: Int64?) throws -> ObjectRow? {
        try row(name, generation: generation).flatMap { $0.metadata.retirement?.restorableUntil == nil ? $0 : nil }
    }
}
