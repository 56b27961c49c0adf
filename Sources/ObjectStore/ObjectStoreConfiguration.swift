// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How a store trades safety for speed, and its limits.
package struct ObjectStoreConfiguration: Hashable, Sendable {
    /// The failures that an acknowledged write survives.
    package enum Durability: Hashable, Sendable {
        /// The death of the process and of the machine: files and database are synchronised before the answer.
        case full
        /// The death of the process only; for stores that are thrown away.
        case relaxed
    }

    /// The largest object production accepts.
    ///
    /// Source: https://cloud.google.com/storage/quotas#objects, "5 TiB" (2026-11).
    package static let objectByteCountMaxDefault: Int64 = 5 << 40

    /// The failures that an acknowledged write survives.
    package var durability: Durability
    /// The largest object the store accepts.
    package var objectByteCountMax: Int64
    /// Whether holds and retention policies forbid replacing and deleting, as in production; without that, tests can clean
    /// up after themselves.
    package var enforcesRetention = true

    /// Creates a configuration.
    package init(durability: Durability = .full, objectByteCountMax: Int64 = Self.objectByteCountMaxDefault) {
        precondition(objectByteCountMax >= 0, "the largest object cannot have \(objectByteCountMax) bytes")
        self.durability = durability
        self.objectByteCountMax = objectByteCountMax
    }
}
