// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Where an object is: its bucket and its name there.
package struct ObjectPath: Hashable, Sendable, CustomStringConvertible {
    /// The bucket.
    package var bucket: BucketName
    /// The name within the bucket.
    package var name: ObjectName

    /// Creates a path from validated names.
    package init(bucket: BucketName, name: ObjectName) {
        self.bucket = bucket
        self.name = name
    }

    /// Returns `nil` when either name is invalid.
    package init?(bucket: String, name: String) {
        guard let bucket = BucketName(bucket), let name = ObjectName(name) else { return nil }
        self.init(bucket: bucket, name: name)
    }

    /// The path as error messages of Google name it: `bucket/name`.
    package var description: String { "\(bucket)/\(name)" }
}
