// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
