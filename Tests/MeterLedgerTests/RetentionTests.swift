// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Metering
import Testing

@testable import MeterLedger

/// The records that a ledger drops, and that its sums stay.
struct RetentionTests {
    private static let dayMicroseconds: Int64 = 24 * 3_600 * 1_000_000

    /// A ledger's tables with records that begin a while after each other, and what was written of them.
    private static func ledger(count: Int, stepMicroseconds: Int64) throws -> (UsageLedger, [UsageRecord]) {
        var generator = RecordGenerator(seed: 30)
        let records = generator.records(count).enumerated().map { index, record in
            var record = record
            record.startMicroseconds = 20_000 * dayMicroseconds + Int64(index) * stepMicroseconds
            return record
        }
        let ledger = try UsageLedger(storage: .memory)
        for record in records { ledger.record(record) }
        _ = try ledger.totals()
        return (ledger, records)
    }

    private static func trim(_ ledger: UsageLedger, _ limits: UsageLedgerLimits) throws {
        while try ledger.database.write({ try RecordTable(database: $0).trim(limits, countMax: 10) }) {}
    }

    @Test func `deletes the oldest rows that are too many`() throws {
        let (ledger, records) = try Self.ledger(count: 105, stepMicroseconds: 1)
        var limits = UsageLedgerLimits()
        limits.keptRowCountMax = 40
        try Self.trim(ledger, limits)
        #expect(try ledger.records(limit: 1_000) == records.suffix(40))
        #expect(try ledger.totals() == UsageTotals(of: records))
    }

    @Test func `deletes rows that are too old, but never the newest`() throws {
        let (ledger, records) = try Self.ledger(count: 105, stepMicroseconds: Self.dayMicroseconds)
        var limits = UsageLedgerLimits()
        limits.keptAgeMax = .seconds(30 * 24 * 3_600)
        try Self.trim(ledger, limits)
        #expect(try ledger.records(limit: 1_000) == records.suffix(31))
        limits.keptAgeMax = .zero
        try Self.trim(ledger, limits)
        #expect(try ledger.records(limit: 1_000) == records.suffix(1))
        #expect(try ledger.totals() == UsageTotals(of: records))
    }

    @Test func `sums up hours that are long past`() throws {
        let (ledger, records) = try Self.ledger(count: 200, stepMicroseconds: Self.dayMicroseconds / 24 / 10)
        let early = try #require(UsageMark("m15-15"))
        #expect(try ledger.totals(UsageSelection(since: early)) == UsageTotals(of: records.dropFirst(15)))
        let hours = try ledger.report(UsageQuestion(seriesMinutes: 60)).series
        #expect(hours?.steps.count == 20)
        var sums = 0
        while try ledger.database.write({ try RollupTable(database: $0).sumUpHour(keepingMinutes: 3 * 60) }) {
            sums += 1
        }
        #expect(sums == 16)
        #expect(try ledger.report(UsageQuestion(seriesMinutes: 60)).series == hours)
        #expect(try ledger.report(UsageQuestion(seriesMinutes: 1)).series?.steps.count == 16 + 40)
        #expect(try ledger.totals() == UsageTotals(of: records))
        let late = try #require(UsageMark("m165-165"))
        #expect(try ledger.totals(UsageSelection(since: late)) == UsageTotals(of: records.dropFirst(165)))
        let error = #expect(throws: UsageLedgerError.self) { try ledger.totals(UsageSelection(since: early)) }
        #expect(error?.code == .lateMark)
    }

    @Test func `a ledger lets go by itself`() throws {
        var limits = UsageLedgerLimits()
        (limits.keptRowCountMax, limits.trimmedRowCount) = (20, 64)
        let ledger = try UsageLedger(storage: .memory, limits: limits)
        var generator = RecordGenerator(seed: 31)
        let records = generator.records(1_000)
        for record in records {
            ledger.record(record)
            try ledger.flush()
        }
        try ledger.trim()
        #expect(try ledger.records(limit: 1_000).count <= 20 + 64)
        #expect(try ledger.totals() == UsageTotals(of: records))
    }
}
