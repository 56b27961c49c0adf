// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DequeModule
package import Metering
import NIOConcurrencyHelpers

/// The last requests as they were metered, for those who watch.
///
/// Their records add up to the usage, so that one that takes another back is there, too.
package final class RequestLog: UsageRecording {
    /// The most records that are kept.
    package static let countMax = 10_000

    /// Some of the records, the oldest first.
    struct Page {
        /// The records with their numbers, which count from 1 in the order in which requests ended.
        var rows: [(number: Int64, record: UsageRecord)] = []
        /// The number behind which the next page begins.
        var next: Int64
        /// How many are not here, nor in the next page.
        var droppedCount: Int64 = 0
    }

    /// The records that a page has where there are more than its limit.
    enum Part {
        /// The first, so that the next pages have the others.
        case oldest
        /// The last; the others are dropped.
        case newest
    }

    private struct Entry {
        /// The number of the first record.
        let number: Int64
        let run: UsageRun

        var end: Int64 { number + Int64(run.count) }
    }

    private struct State {
        var entries: Deque<Entry> = []
        var end: Int64 = 1
    }

    private let state = NIOLockedValueBox(State())

    /// Creates a log of nothing.
    package init() {}

    /// Adds a record.
    package func record(_ record: UsageRecord) {
        guard record.notes.detail != nil else { return self.record(UsageRun(record)) }
        // The documents of a request that is recorded take a lot, and are not shown.
        var slim = record
        slim.notes.detail = nil
        self.record(UsageRun(slim))
    }

    /// Adds records that say the same.
    package func record(_ run: UsageRun) {
        guard run.first.notes.detail == nil else {
            for record in run.records { self.record(record) }
            return
        }
        let dropped = state.withLockedValue { state in
            let entry = Entry(number: state.end, run: run)
            state.entries.append(entry)
            state.end = entry.end
            // The last entry stays, however many records it has: it takes no more memory for them.
            guard state.entries.count > 1, state.end - state.entries[0].end >= Self.countMax else {
                return nil as Entry?
            }
            return state.entries.removeFirst()
        }
        // Freed without the lock.
        _ = dropped
    }

    /// The records behind a number.
    func page(after asked: Int64, limit: Int, _ part: Part) -> Page {
        let (number, entries, end) = state.withLockedValue { state in
            // Numbers begin again with each start of the emulator.
            let number = (0..<state.end).contains(asked) ? asked : 0
            return (number, state.entries.suffix(while: { $0.end > number + 1 }), state.end)
        }
        let first = max(number + 1, entries.first?.number ?? end, end - Int64(Self.countMax))
        let range =
            switch part {
            case .oldest: first..<min(end, first + Int64(limit))
            case .newest: max(first, end - Int64(limit))..<end
            }
        var page = Page(next: range.upperBound - 1, droppedCount: range.lowerBound - (number + 1))
        for entry in entries where entry.number < range.upperBound && entry.end > range.lowerBound {
            for (offset, record) in entry.run.records.enumerated() where range.contains(entry.number + Int64(offset)) {
                page.rows.append((entry.number + Int64(offset), record))
            }
        }
        return page
    }
}

extension Deque {
    /// The last elements, as far back as they all satisfy a condition.
    fileprivate func suffix(while isIncluded: (Element) -> Bool) -> [Element] {
        var start = endIndex
        while start > startIndex, isIncluded(self[start - 1]) { start -= 1 }
        return Array(self[start...])
    }
}
