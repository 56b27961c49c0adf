// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import Metering

/// The cost of a month for a number of daily users who each use as much as those of a log.
package struct Forecast: Sendable {
    /// The days of a month.
    static let daysPerMonth: Int64 = 30

    /// How much of a free amount would be gone.
    package struct Quota: Sendable, Hashable {
        /// The free item.
        package let item: BillableItem
        /// After which time it is granted again.
        package let period: Charge.FreeAmount.Period
        /// The share that is used in this time, in percent.
        package let percent: Double
        /// The day of the month on which it runs out, from 1; the first where it does each day, `nil` where it does not.
        package let runsOutOnDay: Int64?
    }

    private let usage: ServiceUsage
    private let profile: PriceProfile
    private let userDayCount: Int64
    private let dailyUserCount: Int64

    /// Creates a forecast from what the users of a log used in a number of user days.
    package init(_ usage: ServiceUsage, profile: PriceProfile, userDayCount: Int64, dailyUserCount: Int64) {
        precondition(userDayCount > 0 && dailyUserCount > 0, "nobody costs nothing")
        self.usage = usage
        self.profile = profile
        self.userDayCount = userDayCount
        self.dailyUserCount = dailyUserCount
    }

    /// Whether the profile has prices for what was used; without them, it says only how much is free.
    package var hasPrices: Bool { profile.charges.contains { !$0.prices.isEmpty && usage.amount(of: $0.item) > 0 } }

    /// US dollars of a month, not rounded.
    package var usdPerMonth: Decimal { usdPerMonth(dailyUserCount: dailyUserCount) }

    /// US dollars of a month of a number of daily users, not rounded.
    package func usdPerMonth(dailyUserCount: Int64) -> Decimal {
        let day = Dictionary(
            uniqueKeysWithValues: profile.charges.map { ($0.item, amount(of: $0.item, users: dailyUserCount)) }
        )
        return profile.bill(ofMonth: Array(repeating: day, count: Int(Self.daysPerMonth))).usd
    }

    /// US dollars of one user's day at the first price, as if nothing were free.
    package var usdPerUserDay: Decimal {
        profile.charges.reduce(0) { sum, charge in
            guard let price = charge.prices.first else { return sum }
            let used = Decimal(usage.amount(of: charge.item)) / Decimal(userDayCount)
            return sum + used * price.usd / Decimal(price.per)
        }
    }

    /// The free amounts of the items that were used, in the order of the profile.
    package var quotas: [Quota] {
        profile.sessionCharges.compactMap { charge in
            guard let free = charge.free, usage.amount(of: charge.item) > 0 else { return nil }
            let perDay = amount(of: charge.item, users: dailyUserCount)
            let used = free.period == .day ? perDay : perDay * Self.daysPerMonth
            let day = free.period == .day ? 1 : free.amount / max(1, perDay) + 1
            return Quota(
                item: charge.item,
                period: free.period,
                percent: 100 * Double(used) / Double(free.amount),
                runsOutOnDay: used > free.amount ? day : nil
            )
        }
    }

    /// The daily usage of a number of users, rounded.
    private func amount(of item: BillableItem, users: Int64) -> Int64 {
        let amount = usage.amount(of: item)
        // A month of it must still be a number.
        let limit = Int64.max / 64
        guard Double(amount) * Double(users) / Double(userDayCount) < Double(limit) else { return limit }
        let product = amount.multipliedFullWidth(by: users)
        let (quotient, remainder) = userDayCount.dividingFullWidth(product)
        return quotient + (remainder * 2 >= userDayCount ? 1 : 0)
    }
}
