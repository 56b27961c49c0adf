// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// All that is known about a stored object, apart from its bytes.
package struct ObjectMetadata: Hashable, Sendable {
    /// Where the object is.
    package var path: ObjectPath
    /// The version of the bytes: microseconds since the Unix epoch, unique and increasing within a store.
    package var generation: Int64
    /// The version of the attributes: 1 for a new generation, one more after each change.
    package var metageneration: Int64
    /// The size of the object.
    package var byteCount: Int64
    /// The checksums of the bytes.
    package var digest: ObjectDigest
    /// The attributes that the client set.
    package var attributes: ObjectAttributes
    /// When this generation was stored, in microseconds since the Unix epoch.
    package var timeCreated: Int64
    /// When the attributes last changed, in microseconds since the Unix epoch.
    package var updated: Int64
    /// When the storage class last changed, in microseconds since the Unix epoch.
    package var timeStorageClassUpdated: Int64
    /// Of how many uploaded objects a composed one consists; `nil` for one that was uploaded whole.
    package var componentCount: Int?
    /// The base64 of the SHA-256 of the key that the client encrypts the object with; `nil` without one.
    package var customerKeyHash: String?
    /// When the event-based hold was lifted, in microseconds since the Unix epoch; the bucket's retention counts from there.
    var timeReleased: Int64?
    /// Until when the bucket's retention policy forbids replacing and deleting, in microseconds since the Unix epoch.
    package var retentionExpiration: Int64?
    /// Since when this is no longer the live version; `nil` for the live one.
    package var retirement: ObjectRetirement?

    /// Creates metadata from their parts.
    package init(
        path: ObjectPath,
        generation: Int64,
        metageneration: Int64,
        byteCount: Int64,
        digest: ObjectDigest,
        attributes: ObjectAttributes,
        timeCreated: Int64,
        updated: Int64
    ) {
        self.path = path
        self.generation = generation
        self.metageneration = metageneration
        self.byteCount = byteCount
        self.digest = digest
        self.attributes = attributes
        self.timeCreated = timeCreated
        self.updated = updated
        timeStorageClassUpdated = timeCreated
    }

    /// The bucket of the object.
    package var bucket: BucketName { path.bucket }
    /// The name of the object in its bucket.
    package var name: ObjectName { path.name }
}

extension ObjectMetadata {
    /// Computes until when the bucket's retention policy keeps the object: from its event-based hold's end on, or from
    /// its creation (https://cloud.google.com/storage/docs/bucket-lock, 2026-11).
    mutating func retain(asRequiredBy bucket: BucketSettings) {
        retentionExpiration = bucket.retentionSeconds
            .flatMap { attributes.hasEventBasedHold == true ? nil : $0 }
            .map { (timeReleased ?? timeCreated) + $0 * 1_000_000 }
    }
}

extension SQLiteObjectStore {
    /// Throws `held` or `retained` when a version may be neither replaced nor deleted.
    func requireRemovable(_ object: ObjectMetadata, at now: Int64) throws {
        guard configuration.enforcesRetention else { return }
        guard object.attributes.hasTemporaryHold != true, object.attributes.hasEventBasedHold != true else {
            throw ObjectStoreError.held(object.path)
        }
        let end = [object.retentionExpiration, object.attributes.retention?.retainUntil].compactMap { $0 }.max()
        if let end, end > now { throw ObjectStoreError.retained(object.path, until: end) }
    }
}

/// Since when, and how, a version of an object is no longer the live one.
package struct ObjectRetirement: Hashable, Sendable {
    /// When it was replaced or deleted, in microseconds since the Unix epoch.
    package var time: Int64
    /// Until when it can be restored, if it was deleted softly; `nil` for a noncurrent version.
    package var restorableUntil: Int64?

    /// Creates a retirement.
    package init(time: Int64, restorableUntil: Int64? = nil) {
        self.time = time
        self.restorableUntil = restorableUntil
    }
}
