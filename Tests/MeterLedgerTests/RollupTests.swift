// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MeterLedger
import Metering
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RollupTests {
    /// Records of some minutes, in order.
    private static func records(_ count: Int, seed: UInt64, minutes: Int64 = 3) -> [UsageRecord] {
        var generator = RecordGenerator(seed: seed)
        return generator.records(count).enumerated().map { index, record in
            var record = record
            record.startMicroseconds = 1_800_000_000_000_000 + Int64(index) * minutes * 60_000_000 / Int64(count)
            return record
        }
    }

    private static func fill(_ ledger: UsageLedger, _ records: some Sequence<UsageRecord>) {
        for record in records { ledger.record(record) }
    }

    private static func limits(waitingSumCountMax: Int) -> UsageLedgerLimits {
        var limits = UsageLedgerLimits()
        limits.flushRecordCount = 50
        limits.waitingSumCountMax = waitingSumCountMax
        return limits
    }

    @Test("sums the same however often sums are stored", arguments: [1, 100, 1_000_000])
    func sums(waitingSumCountMax: Int) throws {
        let records = Self.records(1_000, seed: 20)
        let limits = Self.limits(waitingSumCountMax: waitingSumCountMax)
        let ledger = try UsageLedger(storage: .memory, limits: limits)
        Self.fill(ledger, records.prefix(400))
        let mark = try ledger.mark()
        Self.fill(ledger, records.dropFirst(400))
        for dimension in UsageDimension.allCases {
            let all = try ledger.groups(by: dimension)
            #expect(all.map(\.totals).reduce(.zero, +) == UsageTotals(of: records))
            let later = Dictionary(grouping: records.dropFirst(400)) { $0.key(dimension) }
            let groups = try ledger.groups(by: dimension, since: mark)
            for group in groups where dimension != .object && dimension != .feed {
                #expect(group.totals == UsageTotals(of: later[group.key] ?? []))
            }
            #expect(groups.map(\.totals).reduce(.zero, +) == UsageTotals(of: records.dropFirst(400)))
        }
    }

    @Test("tells what was used under a tag", arguments: ["tag0", "", "none such"])
    func tells(tag: String) throws {
        let records = Self.records(500, seed: 21)
        let ledger = try UsageLedger(storage: .memory)
        Self.fill(ledger, records)
        let tagged = records.filter { $0.key(.tag) == tag }
        #expect(try ledger.totals(UsageSelection(tag: tag)) == UsageTotals(of: tagged))
        for group in try ledger.groups(by: .operation, tag: tag) {
            #expect(group.totals == UsageTotals(of: tagged.filter { $0.key(.operation) == group.key }))
        }
    }

    @Test("tells the groups with the most, and the sum of the others", arguments: UsageFigure.allCases)
    func tellsMost(figure: UsageFigure) throws {
        let ledger = try UsageLedger(storage: .memory)
        Self.fill(ledger, Self.records(500, seed: 22))
        for limit in [0, 1, 3, 1_000] {
            let grouping = UsageQuestion.Grouping(by: .client, order: figure, limit: limit)
            let report = try ledger.report(UsageQuestion(grouping: grouping))
            let breakdown = try #require(report.breakdown)
            let all = try ledger.groups(by: .client).sorted {
                (figure.value($1.totals), $0.key) < (figure.value($0.totals), $1.key)
            }
            #expect(breakdown.groups == Array(all.prefix(limit)))
            #expect(breakdown.groups.map(\.totals).reduce(breakdown.others ?? .zero, +) == report.total)
            #expect((breakdown.others == nil) == (limit >= all.count))
        }
    }

    @Test("tells the groups that cost the most")
    func tellsCostliest() throws {
        let ledger = try UsageLedger(storage: .memory)
        Self.fill(ledger, Self.records(500, seed: 26))
        let prices = UsagePrices(try PriceProfile(named: "firestore-nam5"), by: .collection)
        let grouping = UsageQuestion.Grouping(by: .collection, prices: prices, isByCost: true, limit: 3)
        let breakdown = try #require(try ledger.report(UsageQuestion(grouping: grouping)).breakdown)
        let costs = try ledger.groups(by: .collection).map { prices.usd(of: $0.totals) }.sorted(by: >)
        #expect(breakdown.groups.map { prices.usd(of: $0.totals) } == Array(costs.prefix(3)))
        #expect(costs.contains { $0 > 0 })
    }

    @Test("tells what was used in time", arguments: [1, 2, 60] as [Int64])
    func tellsSteps(minutes: Int64) throws {
        let records = Self.records(300, seed: 23, minutes: 7)
        let ledger = try UsageLedger(storage: .memory)
        Self.fill(ledger, records)
        let steps = try ledger.report(UsageQuestion(seriesMinutes: minutes)).series?.steps ?? []
        let length = minutes * 60_000_000
        let expected = Dictionary(grouping: records) { $0.startMicroseconds / length * minutes * 60 }
        #expect(steps.map(\.startSeconds) == expected.keys.sorted())
        for step in steps { #expect(step.totals == UsageTotals(of: expected[step.startSeconds] ?? [])) }
    }

    @Test("has the sums of all that was written, whatever becomes of the process", arguments: [10, 1_000_000])
    func recovers(waitingSumCountMax: Int) throws {
        let directory = TemporaryDirectory()
        let records = Self.records(300, seed: 24)
        let limits = Self.limits(waitingSumCountMax: waitingSumCountMax)
        let ledger = try UsageLedger(storage: .directory(directory.path), limits: limits)
        Self.fill(ledger, records.prefix(100))
        let mark = try ledger.mark()
        Self.fill(ledger, records.dropFirst(100))
        try ledger.flush()
        let copy = try directory.copyOfLedger()
        let second = try UsageLedger(storage: .directory(copy), limits: limits)
        #expect(try second.totals() == UsageTotals(of: records))
        #expect(try second.totals(UsageSelection(since: mark)) == UsageTotals(of: records.dropFirst(100)))
        for dimension in UsageDimension.allCases {
            #expect(try second.groups(by: dimension) == ledger.groups(by: dimension))
        }
        Self.fill(second, records)
        try second.close()
        #expect(try UsageLedger(storage: .directory(copy)).totals() == UsageTotals(of: records + records))
    }
}
