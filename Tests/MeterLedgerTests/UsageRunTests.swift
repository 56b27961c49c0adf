// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Metering
import TestSupport
import Testing

@testable import MeterLedger

struct UsageRunTests {
    @Test func `brings copies together, and equal ones only if they are copies`() {
        var (generator, again) = (RecordGenerator(seed: 9), RecordGenerator(seed: 9))
        let (first, equal, other) = (generator.record(), again.record(), generator.record())
        #expect(first == equal)
        let runs = UsageRun.merging([first, other, first, equal, first, other].map(UsageRun.init))
        #expect(runs.map(\.count) == [3, 2, 1])
        #expect(runs.map(\.first) == [first, other, equal])
    }

    @Test func `a changed copy is another`() {
        var generator = RecordGenerator(seed: 10)
        let record = generator.record()
        var changed = record
        changed.outcome = .aborted
        #expect(UsageRun.merging([record, changed].map(UsageRun.init)).count == 2)
        changed = record
        changed.startMicroseconds += 1
        #expect(UsageRun.merging([record, changed].map(UsageRun.init)).count == 1)
    }

    @Test(
        arguments: [(5, 0, true), (.max, 0, false), (.min, 0, false), (5, .max, false), (5 + 1 << 59, 0, true)]
            as [(Int64, Int64, Bool)]
    )
    func `what lies too far apart is no run`(_ start: Int64, _ duration: Int64, _ isRun: Bool) {
        var generator = RecordGenerator(seed: 13)
        let first = generator.record().at(UsageRun.Times(startMicroseconds: 5, durationMicroseconds: 1))
        let other = first.at(UsageRun.Times(startMicroseconds: start, durationMicroseconds: duration))
        var run = UsageRun(first)
        let isTaken = run.append(other.times)
        #expect(isTaken == isRun)
        #expect(run.count == (isRun ? 2 : 1))
        let merged = UsageRun.merging([UsageRun(first), UsageRun(other)])
        #expect(merged.flatMap(\.records) == [first, other])
        #expect(merged.count == (isRun ? 1 : 2))
    }

    @Test func `runs that come together keep the times of each`() {
        var generator = RecordGenerator(seed: 14)
        let record = generator.record()
        let times = (0..<600).map { _ in generator.record().times }
        let runs = stride(from: 0, to: times.count, by: 60).map { first in
            var run = UsageRun(record.at(times[first]))
            for times in times[first..<first + 60].dropFirst() {
                let isTaken = run.append(times)
                #expect(isTaken)
            }
            return run
        }
        let merged = UsageRun.merging(runs)
        #expect(merged.map(\.count) == [600])
        #expect(merged.flatMap(\.records) == times.map(record.at))
        let packed = UsageRun(merged[0].first, count: 600, packedTimes: merged[0].packedTimes)
        #expect(packed?.records == merged[0].records)
    }

    private static func database(in directory: TemporaryDirectory) throws -> DatabaseQueue {
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        return try DatabaseQueue(path: directory.path + "/usage.sqlite")
    }

    @Test func `reads what was written when a row was one record`() throws {
        let directory = TemporaryDirectory()
        var generator = RecordGenerator(seed: 11)
        let records = generator.records(20)
        let database = try Self.database(in: directory)
        try LedgerSchema.migrator.migrate(database)
        try database.write { database in
            var texts = TextInterner()
            _ = try RecordTable(database: database).insert(records.map(UsageRun.init), texts: &texts)
            try database.execute(
                sql: """
                    ALTER TABLE record DROP COLUMN recordCount; ALTER TABLE record DROP COLUMN laterTimes;
                    DELETE FROM grdb_migrations WHERE identifier LIKE '3 %'
                    """
            )
        }
        try database.close()
        let ledger = try UsageLedger(storage: .directory(directory.path))
        #expect(try ledger.records(limit: 100) == records)
        #expect(try ledger.totals() == UsageTotals(of: records))
    }

    @Test(
        "tells a damaged row from a good one",
        arguments: [
            "recordCount = 0", "recordCount = 4", "laterTimes = x'00'", "laterTimes = x'0000000000'",
            "laterTimes = x'00000000c1'", "sentWire = 1",
        ]
    )
    func refuses(damage: String) throws {
        let directory = TemporaryDirectory()
        let database = try Self.database(in: directory)
        try LedgerSchema.migrator.migrate(database)
        var generator = RecordGenerator(seed: 12)
        let record = generator.record()
        try database.write { database in
            var texts = TextInterner()
            _ = try RecordTable(database: database).insert([record, record, record].map(UsageRun.init), texts: &texts)
        }
        #expect(try database.read { try RecordTable(database: $0).records(after: 0, limit: 10) }.count == 3)
        try database.write { try $0.execute(sql: "UPDATE record SET \(damage)") }
        let error = #expect(throws: UsageLedgerError.self) {
            try database.read { try RecordTable(database: $0).records(after: 0, limit: 10) }
        }
        #expect(error?.code == .corrupt)
    }
}
