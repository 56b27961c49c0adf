// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// What is known about a bucket.
package struct BucketMetadata: Hashable, Sendable {
    /// The name.
    package var name: BucketName
    /// When the bucket was created, in microseconds since the Unix epoch.
    package var timeCreated: Int64

    /// Creates metadata from their parts.
    package init(name: BucketName, timeCreated: Int64) {
        self.name = name
        self.timeCreated = timeCreated
    }
}
