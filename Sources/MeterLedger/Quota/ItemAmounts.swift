// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// How much of each item was used.
struct ItemAmounts: Sendable, Hashable {
    private var storage = BilledUsage.zero
    private var firestore = BilledUsage.zero
    private var auth = BilledUsage.zero

    /// How much of an item was used.
    subscript(item: BillableItem) -> Int64 {
        switch item.service {
        case .storage: item.amount(in: storage)
        case .firestore: item.amount(in: firestore)
        case .auth: item.amount(in: auth)
        }
    }

    /// The totals for all items.
    var byItem: [BillableItem: Int64] {
        Dictionary(uniqueKeysWithValues: BillableItem.allCases.map { ($0, self[$0]) })
    }

    /// Adds what a service was billed for.
    mutating func add(_ billed: BilledUsage, of service: UsageAttribution.Service) {
        switch service {
        case .storage:
            storage = storage + billed
            // Those of Security Rules of Storage.
            firestore.documentReads += billed.documentReads
        case .firestore: firestore = firestore + billed
        case .auth: auth = auth + billed
        }
    }
}
