// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Names a transaction within the store, in the order of their beginnings.
struct TransactionKey: Hashable, Comparable {
    let ordinal: Int

    static func < (lhs: TransactionKey, rhs: TransactionKey) -> Bool { lhs.ordinal < rhs.ordinal }
}
