// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
