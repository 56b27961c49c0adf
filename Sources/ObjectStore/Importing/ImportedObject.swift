// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// An object as another store had it; what is said of it is stored as it is.
package struct ImportedObject: Sendable {
    /// The greatest generation that is taken, so that the store's own can continue from there.
    package static let generationMax: Int64 = 1 << 62

    /// Where the object goes, replacing what is there.
    package var path: ObjectPath
    /// The attributes that its client set; a storage class of `nil` becomes the bucket's.
    package var attributes: ObjectAttributes
    /// The version of the bytes; `nil` for the store's next.
    package var generation: Int64?
    /// The version of the attributes.
    package var metageneration: Int64 = 1
    /// When this generation was stored, in microseconds since the Unix epoch; `nil` for now.
    package var timeCreated: Int64?
    /// When the attributes last changed; `nil` for the time of creation.
    package var updated: Int64?
    /// The size that the bytes must have; `nil` for any.
    package var byteCount: Int64?
    /// The checksums that the bytes must have.
    package var expected = ExpectedDigest.anything
    /// The object's ``ObjectMetadata/extras()``; it goes before the attributes.
    package var extras: String?

    /// Creates an object that is taken as a new upload until more is said of it.
    package init(path: ObjectPath, attributes: ObjectAttributes = ObjectAttributes()) {
        self.path = path
        self.attributes = attributes
    }
}

extension ObjectMetadata {
    /// The rare things about the object, such as holds and labels, as a JSON object; `nil` when there are none.
    package func extras() throws -> String? {
        try ObjectExtras(self).encoded()
    }
}

extension ObjectMetadata {
    /// The version that an imported object becomes.
    init(_ object: ImportedObject, bytes: StagedBytes, digest: ObjectDigest, generation: Int64, now: Int64) throws {
        let timeCreated = object.timeCreated ?? now
        self.init(
            path: object.path,
            generation: generation,
            metageneration: object.metageneration,
            byteCount: bytes.byteCount,
            digest: digest,
            attributes: object.attributes,
            timeCreated: timeCreated,
            updated: object.updated ?? timeCreated
        )
        do {
            let extras: ObjectExtras? = try JSONColumn.decode(object.extras)
            extras?.apply(to: &self)
        } catch {
            throw ObjectStoreError.extrasUnreadable
        }
        // Composed objects have no MD5 in production; an exporter had to compute it.
        if componentCount != nil { self.digest.md5 = nil }
    }
}
