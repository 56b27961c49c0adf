// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A price list with its free amounts, dated: what a month of usage costs, and how much of a day's quota is gone.
///
/// Profiles are data: those that ship are files beside this one, and users bring their own, see ``init(reading:)``.
public struct PriceProfile: Sendable, Hashable {
    /// The consequence of using up a free amount.
    public enum OverQuota: String, Sendable, Hashable, CaseIterable {
        /// The rest is billed.
        case billed
        /// Requests are refused until the next period.
        case refused
    }

    /// The name by which commands take it.
    public let name: String
    /// The subject of the price list, in a line.
    public let title: String
    /// The day on which its prices were last known to hold, as `YYYY-MM-DD`; of each charge, see ``Charge/asOf``.
    public let asOf: String
    /// Where days and months begin at midnight.
    public let resetZone: TimeZone
    /// The consequence of using up a free amount.
    public let overQuota: OverQuota
    /// The prices; at most one for each item.
    public let charges: [Charge]

    /// The price of one item.
    public func charge(_ item: BillableItem) -> Charge? { charges.first { $0.item == item } }
}

extension PriceProfile {
    /// The free amount of an item for one day; `nil` where there is none, or one for a month.
    public func freePerDay(_ item: BillableItem) -> Int64? {
        guard let free = charge(item)?.free, free.period == .day else { return nil }
        return free.amount
    }

    /// The share of a day's free downloads that these bytes take, in percent; `nil` where none are free by the day.
    public func downloadPercent(of byteCount: Int64) -> Double? {
        freePerDay(.storageEgressBytes).map { 100 * Double(byteCount) / Double($0) }
    }
}
