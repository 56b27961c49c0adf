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
