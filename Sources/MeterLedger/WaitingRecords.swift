// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// The records that wait to be written, and the decisions when to write them; does no input or output.
struct WaitingRecords: Sendable {
    /// What the caller of `append` must do.
    enum Action: Sendable {
        /// Nothing: a write is under way or arranged.
        case none
        /// Arrange a write after the flush interval.
        case flushLater
        /// Arrange a write at once.
        case flushSoon
        /// Write, then append again: the record was not taken.
        case flushFirst
        /// Nothing: the ledger is closed, and the record was dropped.
        case dropped
    }

    private let limits: UsageLedgerLimits
    private var runs: [UsageRun] = []
    /// What all runs count for, in records.
    private var size = 0
    private(set) var isClosed = false
    /// A write after the flush interval is arranged, and has not begun.
    private var isWriteArranged = false
    private(set) var lostRecordCount: Int64 = 0

    init(limits: UsageLedgerLimits) {
        self.limits = limits
    }

    mutating func append(_ run: UsageRun) -> Action {
        guard !isClosed else {
            lostRecordCount += Int64(run.count)
            return .dropped
        }
        guard size < limits.waitingRecordCountMax else { return .flushFirst }
        let fullBatchCount = size / limits.flushRecordCount
        runs.append(run)
        size += run.size
        if size / limits.flushRecordCount > fullBatchCount { return .flushSoon }
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
    }

    mutating func close() {
        isClosed = true
    }
}

extension UsageRun {
    /// What it counts for while it waits, in records.
    fileprivate var size: Int { 1 + (count - 1) / UsageLedgerLimits.repeatsPerRecord }
}
