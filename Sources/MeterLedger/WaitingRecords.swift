// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// The records that wait to be written, and the decisions when to write them; does no input or output.
struct WaitingRecords: Sendable {
    /// The next action of `append`'s caller.
    enum Action: Sendable {
        /// Nothing: a write is under way or arranged.
        case none
        /// Arrange a write after the flush interval.
        case flushLater
        /// Arrange a write at once.
        case flushSoon
        /// Write, then append again: the record was not taken.
        case flushFirst
        /// Nothing: the ledger is closed, or full and not to be written, and the record was dropped.
        case dropped
    }

    private let limits: UsageLedgerLimits
    private var runs: [UsageRun] = []
    /// The weight of all runs, in records.
    private var size = 0
    private(set) var isClosed = false
    /// A write after the flush interval is arranged, and has not begun.
    private var isWriteArranged = false
    private(set) var lostRecordCount: Int64 = 0
    /// The exclusions, and their reasons.
    private var tally = GapTally()

    init(limits: UsageLedgerLimits) {
        self.limits = limits
    }

    mutating func append(_ run: UsageRun) -> Action {
        guard !isClosed else {
            lostRecordCount += Int64(run.count)
            return .dropped
        }
        guard size < limits.waitingRecordCountMax else {
            // A caller that waited for another failure would gain nothing.
            guard tally.trouble != nil else { return .flushFirst }
            lose(run)
            return .dropped
        }
        let fullBatchCount = size / limits.flushRecordCount
        runs.append(run)
        size += run.size
        if tally.trouble == nil, size / limits.flushRecordCount > fullBatchCount { return .flushSoon }
        return arrangeWrite() ? .flushLater : .none
    }

    /// Returns `true` when the caller must arrange a write after the flush interval, as none is.
    mutating func arrangeWrite() -> Bool {
        guard !isWriteArranged, !isClosed else { return false }
        isWriteArranged = true
        return true
    }

    /// An arranged write begins: what comes from now on needs another.
    mutating func arrangedWriteBegins() { isWriteArranged = false }

    /// Takes the records that have waited longest, as many as are written at once; a run is taken as a whole.
    mutating func take() -> [UsageRun] {
        var batchSize = 0
        let batch = Array(
            runs.prefix { run in
                defer { batchSize += run.size }
                return batchSize < limits.flushRecordCount
            }
        )
        runs.removeFirst(batch.count)
        size -= batch.reduce(0) { $0 + $1.size }
        return batch
    }

    /// Puts back, in front, what could not be written.
    mutating func restore(_ unwritten: [UsageRun]) {
        runs.insert(contentsOf: unwritten, at: 0)
        size += unwritten.reduce(0) { $0 + $1.size }
    }

    /// Counts records that found no room and could not be written either.
    mutating func lose(_ run: UsageRun) {
        lostRecordCount += Int64(run.count)
        tally.lose(run)
    }

    /// Gives up all that waits.
    mutating func loseAll() {
        for run in runs { lose(run) }
        (runs, size) = ([], 0)
    }

    var isEmpty: Bool { runs.isEmpty }
    var isInTrouble: Bool { tally.trouble != nil }

    /// Notes that the file could not be opened, and what is written goes with the process.
    mutating func fileIsMissing(_ reason: String) { tally.unopened = reason }

    /// Notes that nothing can be written; returns whether that is new.
    mutating func troubleBegins(_ reason: String, unstoredSince unstored: Int64?) -> Bool {
        let times = [unstored, runs.first?.first.startMicroseconds].compactMap(\.self)
        return tally.begin(reason, since: times.min() ?? 0)
    }

    /// Notes that all was written; returns whether it could not be before.
    mutating func troubleEnds() -> Bool { tally.end() }

    /// The usage missing from the totals, including what waits to be added; `nil` when nothing is missing.
    func gap(unstored: UsageTotals) -> UsageGap? {
        var waiting = unstored
        for run in runs { waiting.add(UsageTotals(run.first.content, count: Int64(run.count))) }
        return tally.gap(waiting: waiting)
    }

    mutating func close() {
        isClosed = true
    }
}

extension UsageRun {
    /// Its weight while it waits, in records.
    fileprivate var size: Int { 1 + (count - 1) / UsageLedgerLimits.repeatsPerRecord }
}
