// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Metering

/// How fast items are used: a look at the day's amounts every minute, as long as there is use, of which the last ones are kept.
struct UsagePace: Sendable {
    /// How often amounts are noted, in microseconds.
    static let interval: Int64 = 60 * 1_000_000
    /// The minutes whose pace counts.
    static let span = 5 * interval
    private static let lookCountMax = 6
    /// A shorter time says nothing, in microseconds.
    private static let spanMin: Int64 = 1_000_000

    private struct Look {
        let time: Int64
        let amounts: ItemAmounts
    }

    private var looks: Deque<Look> = []

    /// When amounts are to be noted next, in microseconds since the Unix epoch.
    private(set) var nextLook = Int64.min

    /// Notes the amounts of the present day.
    mutating func note(_ amounts: ItemAmounts, at time: Int64) {
        looks.append(Look(time: time, amounts: amounts))
        if looks.count > Self.lookCountMax { looks.removeFirst() }
        nextLook = time + Self.interval
    }

    /// Begins again, with another day.
    mutating func reset() {
        looks = []
        nextLook = .min
    }

    /// When as much as `rest` of an item will have been used at the pace of the last minutes; `nil` at a standstill.
    func end(of item: BillableItem, leaving rest: Int64, amounts: ItemAmounts, at time: Int64) -> Int64? {
        guard let look = looks.first(where: { time - $0.time <= Self.span }) ?? looks.last,
            time - look.time >= Self.spanMin
        else { return nil }
        let used = amounts[item] - look.amounts[item]
        guard used > 0 else { return nil }
        let wait = Double(rest) * Double(time - look.time) / Double(used)
        return Int64(exactly: (Double(time) + wait).rounded())
    }
}
