// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
