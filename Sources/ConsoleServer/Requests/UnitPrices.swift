// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import MeterLedger
import Metering

/// The prices of single requests: those of the first amounts beyond what is free.
struct UnitPrices: Sendable {
    private let prices: [UsageAttribution.Service: UsagePrices]

    init(_ profile: PriceProfile) {
        let services = UsageAttribution.Service.allCases
        prices = Dictionary(uniqueKeysWithValues: services.map { ($0, UsagePrices(profile, of: $0)) })
    }

    /// US dollars for a request, were all of it beyond what is free.
    func usd(of record: UsageRecord) -> Double {
        let (billed, service) = record.billedOfService
        return prices[service]?.usd(of: UsageTotals(requests: 0, received: .zero, sent: .zero, billed: billed)) ?? 0
    }
}
