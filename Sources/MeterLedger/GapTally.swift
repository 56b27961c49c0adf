// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// Remembers whether a ledger can be written, and the records that were not kept because it could not.
struct GapTally: Sendable {
    /// Why the ledger cannot be written; `nil` while it can.
    private(set) var trouble: String?
    /// Why the file could not be opened; `nil` where it could.
    var unopened: String?
    private var lastTrouble = ""
    private var troubleSince: Int64 = 0
    private var lostSpan: ClosedRange<Int64>?
    private var lost = UsageTotals.zero

    /// Notes that the ledger could not be written; returns whether that is new.
    mutating func begin(_ reason: String, since microseconds: Int64) -> Bool {
        defer { (trouble, lastTrouble) = (reason, reason) }
        guard trouble == nil else { return false }
        troubleSince = microseconds
        return true
    }

    /// Notes that the ledger was written; returns whether it could not be before.
    mutating func end() -> Bool {
        defer { trouble = nil }
        return trouble != nil
    }

    /// Notes records that are not kept.
    mutating func lose(_ run: UsageRun) {
        lost.add(UsageTotals(run.first.content, count: Int64(run.count)))
        let time = run.first.startMicroseconds
        lostSpan = lostSpan.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }

    /// The usage missing from the totals; `nil` when nothing is missing.
    func gap(waiting: UsageTotals) -> UsageGap? {
        let waiting = trouble == nil ? .zero : waiting
        if let unopened { return UsageGap(reason: unopened, waiting: waiting, lost: lost) }
        guard lost != .zero || waiting != .zero else { return nil }
        let times = [trouble == nil ? nil : troubleSince, lostSpan?.lowerBound].compactMap(\.self)
        return UsageGap(
            reason: lastTrouble,
            sinceMicroseconds: times.min() ?? 0,
            untilMicroseconds: trouble == nil ? lostSpan?.upperBound : nil,
            waiting: waiting,
            lost: lost
        )
    }
}
