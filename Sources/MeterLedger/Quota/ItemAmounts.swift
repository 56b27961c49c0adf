// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// How much of each item was used.
struct ItemAmounts: Sendable, Hashable {
    private var storage = BilledUsage.zero
    private var firestore = BilledUsage.zero

    /// How much of an item was used.
    subscript(item: BillableItem) -> Int64 { item.amount(in: item.service == .storage ? storage : firestore) }

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
        // Billed by users and messages, not by requests.
        case .auth: break
        }
    }
}
