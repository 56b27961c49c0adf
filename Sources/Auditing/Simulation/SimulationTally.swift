// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Metering

/// Adds up what the steps of a simulation led to.
struct SimulationTally: Sendable {
    private(set) var usage = UsageTotals.zero
    private(set) var counts = ClientCounts()
    private var firestore = BilledUsage.zero
    private var storage = BilledUsage.zero

    /// What each service bills.
    var billed: ServiceUsage {
        var billed = ServiceUsage()
        billed.add(firestore, to: .firestore)
        billed.add(storage, to: .storage)
        return billed
    }

    mutating func add(_ step: SimulatedStep, in table: ImageTable) {
        step.forEachCost(in: table) { add($0) }
        step.forEachDelivery { delivery in
            switch delivery.source {
            case .memory, .disk, .revalidation:
                counts.cacheHits += 1
                counts.cacheHitBytes += Int64(delivery.byteCount)
            case .network:
                counts.cacheMisses += 1
                counts.cacheMissBytes += Int64(delivery.byteCount)
            case .joined, .failed: break
            }
        }
    }

    mutating func add(_ cost: ExchangeCost) {
        usage.add(cost.usage)
        switch cost.service {
        case .firestore: firestore = firestore + cost.usage.billed
        case .storage: storage = storage + cost.usage.billed
        // Never simulated, and not billed by requests.
        case .auth: break
        }
        counts.requests += 1
        counts.bodyBytes += Int64(cost.byteCount)
    }
}
