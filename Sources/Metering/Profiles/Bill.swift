// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The cost of a month of usage by a profile.
public struct Bill: Sendable, Hashable {
    /// The price of one item.
    public struct Line: Sendable, Hashable {
        /// The item.
        public let item: BillableItem
        /// Bytes or operations that were used.
        public let used: Int64
        /// Those of them that were free.
        public let free: Int64
        /// US dollars, not rounded.
        public let usd: Decimal
    }

    /// The items that have a price, in the order of the profile.
    public let lines: [Line]

    /// The sum in US dollars, not rounded.
    public var usd: Decimal { lines.reduce(0) { $0 + $1.usd } }

    /// The amount, rounded to cents, halves up, as bills are.
    public static func cents(_ usd: Decimal) -> Decimal {
        var (exact, rounded) = (usd, Decimal())
        NSDecimalRound(&rounded, &exact, 2, .plain)
        return rounded
    }
}

extension PriceProfile {
    /// Returns what the days of one month cost.
    ///
    /// Each day lists what was used, by item; items that are not there were not used. What is stored accrues daily: the
    /// month is charged for the average of its days.
    public func bill(ofMonth days: [[BillableItem: Int64]]) -> Bill {
        Bill(lines: charges.map { charge in charge.line(days.map { $0[charge.item] ?? 0 }) })
    }
}

extension PriceProfile {
    /// Returns what an amount costs, in US dollars and not rounded, where it is the first beyond what is free.
    ///
    /// `nil` where nothing is charged for the item.
    package func usd(ofFirstCharged amount: Int64, of item: BillableItem) -> Decimal? {
        guard let charge = charges.first(where: { $0.item == item }), !charge.prices.isEmpty else { return nil }
        let free = charge.free?.amount ?? 0
        return charge.usd(from: free, to: free + amount)
    }
}

extension Charge {
    fileprivate func line(_ days: [Int64]) -> Bill.Line {
        let sum = days.reduce(0, +)
        let used = item.isStock ? sum / Int64(max(1, days.count)) : sum
        let free: Int64 =
            switch self.free?.period {
            case .day: days.reduce(0) { $0 + min($1, self.free?.amount ?? 0) }
            case .month: min(used, self.free?.amount ?? 0)
            case nil: 0
            }
        return Bill.Line(item: item, used: used, free: free, usd: usd(from: free, to: used))
    }

    /// Returns what a stretch of the month's amount costs.
    fileprivate func usd(from start: Int64, to end: Int64) -> Decimal {
        var (usd, tierStart) = (Decimal(0), Int64(0))
        for price in prices {
            let tierEnd = price.upTo ?? .max
            let billable = min(end, tierEnd) - max(start, tierStart)
            if billable > 0 { usd += Decimal(billable) * price.usd / Decimal(price.per) }
            tierStart = tierEnd
        }
        return usd
    }
}
