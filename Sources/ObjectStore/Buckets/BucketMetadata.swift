// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The metadata of a bucket.
package struct BucketMetadata: Hashable, Codable, Sendable {
    /// The name.
    package var name: BucketName
    /// When the bucket was created, in microseconds since the Unix epoch.
    package var timeCreated: Int64
    /// When the settings last changed, in microseconds since the Unix epoch.
    package var updated: Int64
    /// The version of the settings: 1 for a new bucket, one more after each change.
    package var metageneration: Int64 = 1
    /// The attributes that the client set.
    package var settings: BucketSettings

    /// Creates the metadata of a new bucket.
    package init(name: BucketName, timeCreated: Int64, settings: BucketSettings = BucketSettings()) {
        self.name = name
        self.timeCreated = timeCreated
        updated = timeCreated
        self.settings = settings
    }
}

/// The settings of a bucket that a client may set and change.
package struct BucketSettings: Hashable, Codable, Sendable {
    /// Whether objects that are replaced or deleted stay as noncurrent versions.
    package var isVersioned = false
    /// For how many seconds deleted objects can be restored; 0 deletes them at once.
    package var softDeleteSeconds: Int64 = 0
    /// For how many seconds objects can be neither replaced nor deleted; `nil` without a retention policy.
    package var retentionSeconds: Int64?
    /// Whether new objects begin with an event-based hold.
    package var hasDefaultEventBasedHold = false
    /// The storage class of objects that name none.
    package var storageClass = "STANDARD"
    /// The key, kept by Google, that objects which name none are encrypted with; `nil` for the service's own.
    package var defaultKeyName: String?
    /// Everything else, as the server keeps it: a JSON object, or `nil`.
    package var configuration: String?

    /// Creates the settings of a bucket about which nothing was said.
    package init() {}
}
