// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering

/// The prices of single requests: those of the first amounts beyond what is free.
struct UnitPrices: Sendable {
    /// The amount whose price is divided: that of a single byte has too few digits.
    private static let sampleAmount: Int64 = 1_000

    private let usd: [UsageAttribution.Service: [(item: BillableItem, usd: Double)]]

    init(_ profile: PriceProfile) {
        var usd: [UsageAttribution.Service: [(BillableItem, Double)]] = [:]
        for charge in profile.charges where charge.item.isMetered {
            guard let price = profile.usd(ofFirstCharged: Self.sampleAmount, of: charge.item) else { continue }
            let one = NSDecimalNumber(decimal: price).doubleValue / Double(Self.sampleAmount)
            usd[charge.item.service, default: []].append((charge.item, one))
        }
        self.usd = usd
    }

    /// US dollars for a request, were all of it beyond what is free.
    func usd(of record: UsageRecord) -> Double {
        let (billed, service) = record.billedOfService
        return usd[service]?.reduce(0) { $0 + $1.usd * Double($1.item.amount(in: billed)) } ?? 0
    }
}
