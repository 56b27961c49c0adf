// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The operation classes of Cloud Storage (pricing page of 2026-05-16).
public enum StorageOperationClass: Sendable, Hashable, CaseIterable {
    /// Insert, list, patch, update, copy, rewrite, compose.
    case classA
    /// Every get of an object or of its metadata, and HEAD.
    case classB
    /// Delete.
    case free
}

extension StorageOperationClass {
    /// The items that an operation of the class uses.
    ///
    /// That gets stop with the bytes, and nothing else does, is our inference: production's 402 is recorded for images.
    public var items: [BillableItem] {
        switch self {
        case .classA: [.storageClassA]
        case .classB: [.storageClassB, .storageEgressBytes]
        case .free: []
        }
    }
}
