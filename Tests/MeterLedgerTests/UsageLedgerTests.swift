// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import MeterLedger
import Metering
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct UsageLedgerTests {
    @Test func `starts empty`() throws {
        let ledger = try UsageLedger(storage: .memory)
        #expect(try ledger.totals() == .zero)
        #expect(try ledger.groups(by: .object).isEmpty)
        #expect(try ledger.records(limit: 10).isEmpty)
        #expect(try ledger.mark().description == "m0-0")
    }

    @Test func `returns records as they were, in order`() throws {
        var generator = RecordGenerator(seed: 1)
        let records = generator.records(300)
        let ledger = try UsageLedger(storage: .memory, limits: .flushing(recordCount: 7))
        for record in records {
            ledger.record(record)
        }
        #expect(try ledger.records(limit: 1_000) == records)
        #expect(try ledger.records(limit: 2) == Array(records.prefix(2)))
    }

    @Test("keeps each of the copies of a record, with its times", arguments: [1, 7, 1_000])
    func keepsCopies(flushRecordCount: Int) throws {
        var generator = RecordGenerator(seed: 8)
        let originals = generator.records(5)
        let moments: [(start: Int64, duration: Int64)] = [
            (5, 0), (5, 0), (4, 1 << 40), (1 << 38, 3), (1 << 38, .max), (1 << 38, .max), (0, 0), (0, 0), (70, 64),
            (69, 0),
        ]
        let records = moments.flatMap { moment in
            originals.map { record in
                var record = record
                (record.startMicroseconds, record.durationMicroseconds) = moment
                return record
            }
        }
        let limits = UsageLedgerLimits.flushing(recordCount: flushRecordCount)
        let ledger = try UsageLedger(storage: .memory, limits: limits)
        ledger.record(records[0])
        let mark = try ledger.mark()
        for record in records.dropFirst() {
            ledger.record(record)
        }
        let read = try ledger.records(limit: 1_000)
        for original in originals {
            #expect(read.filter { $0.content == original.content } == records.filter { $0.content == original.content })
        }
        #expect(read.count == records.count)
        #expect(try ledger.records(limit: 3) == Array(read.prefix(3)))
        #expect(try ledger.totals() == UsageTotals(of: records))
        #expect(try ledger.totals(UsageSelection(since: mark)) == UsageTotals(of: records.dropFirst()))
        let groups = try ledger.groups(by: .operation)
        #expect(groups.map(\.totals).reduce(.zero, +) == UsageTotals(of: records))
    }

    @Test("groups add up exactly to the total", arguments: UsageDimension.allCases)
    func groupsAddUp(dimension: UsageDimension) throws {
        var generator = RecordGenerator(seed: 2)
        let records = generator.records(3_000)
        let ledger = try UsageLedger(storage: .memory)
        for record in records {
            ledger.record(record)
        }
        let total = try ledger.totals()
        #expect(total == UsageTotals(of: records))
        let groups = try ledger.groups(by: dimension)
        #expect(groups.map(\.totals).reduce(.zero, +) == total)
        let expected = Dictionary(grouping: records) { Array($0.key(dimension).utf8) }
        #expect(groups.count == expected.count)
        for group in groups {
            #expect(group.totals == UsageTotals(of: expected[Array(group.key.utf8)] ?? []))
        }
        let sorted = groups.sorted { ($1.totals.sent.wire, $0.key) < ($0.totals.sent.wire, $1.key) }
        #expect(groups == sorted)
    }

    @Test func `tells what came after a mark`() throws {
        var generator = RecordGenerator(seed: 3)
        let ledger = try UsageLedger(storage: .memory)
        ledger.record(generator.record())
        let mark = try #require(UsageMark(try ledger.mark().description))
        #expect(try ledger.totals(UsageSelection(since: mark)) == .zero)
        #expect(try ledger.groups(by: .user, since: mark).isEmpty)
        let later = generator.records(5)
        for record in later {
            ledger.record(record)
        }
        #expect(try ledger.totals(UsageSelection(since: mark)) == UsageTotals(of: later))
        #expect(try ledger.records(since: mark, limit: 10) == later)
        let groups = try ledger.groups(by: .client, since: mark)
        #expect(groups.map(\.totals).reduce(.zero, +) == UsageTotals(of: later))
    }

    @Test(
        "reads only its own marks",
        arguments: [
            "", "m", "7", "m7", "m1-", "m-1", "m--1-1", "m+1-1", "m01-1", "m1-01", "m1-1 ", "M1-1", "m1-1-1",
            "m99999999999999999999-0",
        ]
    )
    func refuses(mark: String) {
        #expect(UsageMark(mark) == nil)
    }

    @Test func `keeps its records and its marks`() throws {
        let directory = TemporaryDirectory()
        var generator = RecordGenerator(seed: 4)
        let records = generator.records(20)
        let first = try UsageLedger(storage: .directory(directory.path + "/usage"))
        for record in records.prefix(10) {
            first.record(record)
        }
        let mark = try first.mark()
        try first.close()
        let second = try UsageLedger(storage: .directory(directory.path + "/usage"))
        for record in records.dropFirst(10) {
            second.record(record)
        }
        #expect(try second.records(limit: 100) == records)
        #expect(try second.totals(UsageSelection(since: mark)) == UsageTotals(of: records.dropFirst(10)))
    }

    @Test func `has written what it flushed, whatever becomes of the process`() throws {
        let directory = TemporaryDirectory()
        var generator = RecordGenerator(seed: 5)
        let records = generator.records(5)
        let ledger = try UsageLedger(storage: .directory(directory.path))
        for record in records {
            ledger.record(record)
        }
        try ledger.flush()
        let copy = try directory.copyOfLedger()
        #expect(try UsageLedger(storage: .directory(copy)).records(limit: 10) == records)
    }

    @Test func `writes in the background, by number and by time`() async throws {
        var generator = RecordGenerator(seed: 6)
        var (bySize, byTime) = (UsageLedgerLimits(), UsageLedgerLimits())
        (bySize.flushRecordCount, bySize.flushInterval) = (1, .seconds(3_600))
        byTime.flushInterval = .milliseconds(1)
        for limits in [bySize, byTime] {
            let directory = TemporaryDirectory()
            let ledger = try UsageLedger(storage: .directory(directory.path), limits: limits)
            ledger.record(generator.record())
            while try directory.storedRecordCount() == 0 {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test("loses nothing to concurrency or a full buffer", arguments: [1, 3, 65_536])
    func losesNothing(waitingRecordCountMax: Int) throws {
        let ledger = try UsageLedger(
            storage: .memory,
            limits: .flushing(recordCount: 100, waitingRecordCountMax: waitingRecordCountMax)
        )
        let shares = (0..<8).map { thread in
            var generator = RecordGenerator(seed: UInt64(thread))
            return generator.records(250)
        }
        DispatchQueue.concurrentPerform(iterations: shares.count) { thread in
            for record in shares[thread] {
                ledger.record(record)
            }
        }
        #expect(try ledger.totals() == UsageTotals(of: shares.joined()))
        #expect(ledger.lostRecordCount == 0)
    }

    @Test func `counts what comes after closing as lost`() throws {
        var generator = RecordGenerator(seed: 7)
        let ledger = try UsageLedger(storage: .memory)
        ledger.record(generator.record())
        try ledger.close()
        try ledger.close()
        ledger.record(generator.record())
        #expect(ledger.lostRecordCount == 1)
        #expect(throws: UsageLedgerError.self) { try ledger.totals() }
    }

    @Test func `refuses a damaged database`() throws {
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        let contents = Data(repeating: 0x58, count: 4_096)
        #expect(FileManager.default.createFile(atPath: directory.path + "/usage.sqlite", contents: contents))
        let error = #expect(throws: UsageLedgerError.self) {
            try UsageLedger(storage: .directory(directory.path))
        }
        #expect(error?.code == .corrupt)
    }
}
