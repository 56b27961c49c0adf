// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Metering

/// The prices of the figures of a sum beyond the free amounts, in US dollars for one.
///
/// Each is that of the first amount that is charged. A sum does not say which of its bytes left by which service: where their prices
/// differ, the higher one counts for groups that may have both.
package struct UsagePrices: Hashable, Sendable {
    /// The amount whose price is divided: that of a single byte has too few digits.
    private static let sampleAmount: Int64 = 1_000

    let usd: [UsageFigure: Double]

    /// Creates the prices of a profile for groups of a dimension.
    package init(_ profile: PriceProfile, by dimension: UsageDimension) {
        self.init(profile, of: dimension.service)
    }

    /// Creates the prices of a profile for a service, or for all of them.
    package init(_ profile: PriceProfile, of service: UsageAttribution.Service?) {
        var usd: [UsageFigure: Double] = [:]
        for charge in profile.charges {
            guard let figure = charge.item.figure, service ?? charge.item.service == charge.item.service,
                let price = profile.usd(ofFirstCharged: Self.sampleAmount, of: charge.item)
            else { continue }
            let one = NSDecimalNumber(decimal: price).doubleValue / Double(Self.sampleAmount)
            usd[figure] = max(usd[figure] ?? 0, one)
        }
        self.usd = usd
    }

    /// The cost of a sum, in US dollars.
    package func usd(of totals: UsageTotals) -> Double {
        usd.reduce(0) { $0 + $1.value * Double($1.key.value(totals)) }
    }
}

extension BillableItem {
    /// The figure that counts it; `nil` for what is not metered.
    fileprivate var figure: UsageFigure? {
        switch self {
        case .storageEgressBytes, .firestoreEgressBytes: .egressBytes
        case .storageClassA: .classA
        case .storageClassB: .classB
        case .documentReads: .documentReads
        case .documentWrites: .documentWrites
        case .documentDeletes: .documentDeletes
        case .firestoreStoredBytes: nil
        case .tier1ActiveUsers: .tier1ActiveUsers
        case .tier2ActiveUsers: .tier2ActiveUsers
        case .smsMessages: .smsMessages
        }
    }
}

extension UsageDimension {
    /// The one service whose requests its groups are of; `nil` where they may be of several.
    fileprivate var service: UsageAttribution.Service? {
        switch self {
        case .object, .feed, .bucket, .variant, .cache: .storage
        case .query, .database, .collection: .firestore
        case .user, .client, .operation, .service, .status, .outcome, .tag: nil
        }
    }
}
