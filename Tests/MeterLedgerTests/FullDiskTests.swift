// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Metering
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import MeterLedger

/// A ledger whose database may not grow, as on a full disk.
@Suite(.timeLimit(.minutes(5))) struct FullDiskTests {
    private let directory = TemporaryDirectory()
    /// The ledger's report of its gaps.
    private let gaps = NIOLockedValueBox<[UsageGap]>([])
    private var generator = RecordGenerator(seed: 11)

    private var said: [UsageGap] { gaps.withLockedValue(\.self) }

    private func makeLedger(waitingRecordCountMax: Int = 1_000) throws -> UsageLedger {
        var limits = UsageLedgerLimits.flushing(recordCount: 1_000, waitingRecordCountMax: waitingRecordCountMax)
        (limits.flushInterval, limits.retryInterval) = (.seconds(3_600), .seconds(3_600))
        return try UsageLedger(storage: .directory(directory.path), limits: limits) { [gaps] gap in
            gaps.withLockedValue { $0.append(gap) }
        }
    }

    /// Lets the database have no page more, or as many as it likes.
    private func setFull(_ isFull: Bool, _ ledger: UsageLedger) throws {
        try ledger.database.writeWithoutTransaction { database in
            let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(isFull ? count : 1 << 30)")
        }
    }

    /// Records that take more pages than there are.
    private mutating func record(_ count: Int, in ledger: UsageLedger) -> [UsageRecord] {
        let records = (0..<count).map { number in
            var record = generator.record()
            record.attribution.object = String(repeating: "long/", count: 200) + "\(number)"
            return record
        }
        for record in records { ledger.record(record) }
        return records
    }

    @Test mutating func `answers, says what it lacks, and adds it when there is room`() throws {
        let ledger = try makeLedger()
        let before = record(5, in: ledger)
        #expect(try ledger.report().total == UsageTotals(of: before))
        try setFull(true, ledger)
        let later = record(50, in: ledger)
        let report = try ledger.report()
        #expect(report.total == UsageTotals(of: before))
        let gap = try #require(report.gap)
        #expect(gap.waiting == UsageTotals(of: later))
        #expect(gap.lost == .zero)
        #expect(gap.sinceMicroseconds == later[0].startMicroseconds)
        #expect(gap.untilMicroseconds == nil)
        #expect(report.json.contains(#","notCounted":{"since":"2023-11-1"#))
        #expect(try ledger.report().gap == gap)
        #expect(said == [gap], "it says so once")
        try setFull(false, ledger)
        let all = try ledger.report()
        #expect(all.total == UsageTotals(of: before + later))
        #expect(all.gap == nil)
        #expect(ledger.lostRecordCount == 0)
    }

    @Test mutating func `holds a number of records and says how many it lost`() throws {
        let ledger = try makeLedger(waitingRecordCountMax: 20)
        let before = record(1, in: ledger)
        #expect(try ledger.totals() == UsageTotals(of: before))
        try setFull(true, ledger)
        let records = record(100, in: ledger)
        #expect(ledger.lostRecordCount == 80)
        let gap = try #require(try ledger.report().gap)
        #expect(gap.waiting == UsageTotals(of: records.prefix(20)))
        #expect(gap.lost == UsageTotals(of: records.dropFirst(20)))
        try setFull(false, ledger)
        let report = try ledger.report()
        #expect(report.total == UsageTotals(of: before + records.prefix(20)))
        #expect(report.gap?.waiting == .zero)
        #expect(report.gap?.lost == gap.lost)
        let lostTimes = records.dropFirst(20).map(\.startMicroseconds)
        #expect(report.gap?.sinceMicroseconds == lostTimes.min())
        #expect(report.gap?.untilMicroseconds == lostTimes.max())
        #expect(said.count == 2)
        #expect(said.last?.description.hasPrefix("usage is counted again; 80 requests with ") == true)
    }

    @Test mutating func `closes without what it cannot write, and says so`() throws {
        let ledger = try makeLedger()
        try ledger.flush()
        try setFull(true, ledger)
        let records = record(50, in: ledger)
        try ledger.close()
        #expect(ledger.lostRecordCount == 50)
        #expect(said.last?.lost == UsageTotals(of: records))
        #expect(try makeLedger().totals() == .zero)
    }
}
