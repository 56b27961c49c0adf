// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A bucket of the crash rounds: one of each kind.
package enum CrashBucket: String, Codable, CaseIterable, Sendable {
    /// Keeps only live versions.
    case plain
    /// Keeps replaced and deleted versions.
    case versioned
    /// Keeps replaced and deleted versions for ``softDeleteSeconds``.
    case soft

    /// For how long softly deleted versions can be restored.
    package static let softDeleteSeconds: Int64 = 60
}

/// Where an object of the crash rounds is.
package struct CrashPlace: Hashable, Codable, Sendable {
    /// The bucket.
    package var bucket: CrashBucket
    /// The name in the bucket.
    package var name: String

    /// Creates a place.
    package init(_ bucket: CrashBucket, _ name: String) {
        self.bucket = bucket
        self.name = name
    }
}

/// Bytes that are cheap to describe: one value, repeated.
package struct CrashRun: Hashable, Codable, Sendable {
    /// The value.
    package var fill: UInt8
    /// How often it is repeated.
    package var count: Int

    /// Creates a run.
    package init(fill: UInt8, count: Int) {
        self.fill = fill
        self.count = count
    }

    /// The bytes.
    package var bytes: [UInt8] { [UInt8](repeating: fill, count: count) }
}
