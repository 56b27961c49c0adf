// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Metering

/// The written state of a ledger, and its writing.
struct LedgerWriting: Sendable {
    /// How many rows are read or deleted in one go.
    private static let stepRowCount: Int64 = 8_192

    var isClosed = false
    private var texts = TextInterner()
    private var sums = RollupBuffer()
    /// The sum of the rows that are not in the rollups yet, and when the first of their records began.
    private(set) var unstored = UsageTotals.zero
    private(set) var unstoredSince: Int64?
    private var periods: Periods
    /// The last row written.
    private var lastSequence: Int64
    /// The rows written when old ones were last looked for.
    private var trimmedSequence: Int64

    /// Goes on where a ledger ended: adds to the rollups what they lack when it did not end by itself.
    init(resuming database: any DatabaseWriter, limits: UsageLedgerLimits) throws {
        (periods, lastSequence) = try database.read { database in
            let rollups = RollupTable(database: database)
            return (Periods(after: try rollups.lastPeriod()), try rollups.rolledSequence())
        }
        // So that old rows are looked for soon.
        trimmedSequence = lastSequence - Int64(limits.trimmedRowCount)
        while try readRows(of: database) {
            if sums.count > limits.waitingSumCountMax { try storeSums(in: database) }
        }
    }

    var waitingSumCount: Int { sums.count }

    /// Writes records in one transaction.
    mutating func write(_ batch: [UsageRun], to database: any DatabaseWriter) throws {
        do {
            let (rows, last) = try database.write { database in
                let table = RecordTable(database: database)
                return (try table.insert(batch, texts: &texts), try table.lastSequence())
            }
            lastSequence = last
            add(rows)
        } catch {
            texts.forget()
            throw error
        }
    }

    private mutating func add(_ rows: [WrittenRow]) {
        for row in rows {
            sums.add(row, period: periods.period(ofMicroseconds: row.startMicroseconds))
            unstored.add(row.totals)
            unstoredSince = min(unstoredSince ?? row.startMicroseconds, row.startMicroseconds)
        }
    }

    /// Adds rows to the sums that another ledger wrote; returns whether there may be more.
    private mutating func readRows(of database: any DatabaseWriter) throws -> Bool {
        // A write, as texts that only rollups go by may be new.
        let rows = try database.write { database in
            let table = RecordTable(database: database)
            var rows: [WrittenRow] = []
            let runs = try table.runs(after: lastSequence, limit: Int(Self.stepRowCount))
            while let run = try runs.next() {
                lastSequence = run.sequence
                rows.append(try WrittenRow(run, texts: &texts, in: TextTable(database: database)))
            }
            return rows
        }
        add(rows)
        return !rows.isEmpty
    }

    /// Stores the sums that wait.
    mutating func storeSums(in database: any DatabaseWriter) throws {
        guard !sums.isEmpty else { return }
        try database.write { database in
            try RollupTable(database: database).add(sums, of: periods, upTo: lastSequence)
        }
        sums.removeAll()
        (unstored, unstoredSince) = (.zero, nil)
        periods.stored()
    }

    /// Ends all periods, whose sums must be stored; returns the moment.
    mutating func mark() -> UsageMark {
        periods.close()
        return UsageMark(period: periods.last, sequence: lastSequence)
    }

    /// Deletes or sums up some of what is old; returns whether there may be more.
    mutating func trim(_ database: any DatabaseWriter, limits: UsageLedgerLimits) throws -> Bool {
        guard !isClosed, lastSequence - trimmedSequence >= Int64(limits.trimmedRowCount) else { return false }
        // Only what is in the rollups may go.
        try storeSums(in: database)
        let isMore = try database.write { database in
            let records = RecordTable(database: database)
            if try records.trim(limits, countMax: Self.stepRowCount) { return true }
            let isSummedUp = try RollupTable(database: database).sumUpHour(keepingMinutes: limits.minuteCountMax)
            // The periods of an hour that is summed up have been removed.
            if isSummedUp { periods.close() }
            return isSummedUp
        }
        if !isMore { trimmedSequence = lastSequence }
        return isMore
    }
}

extension WrittenRow {
    fileprivate init(_ run: RecordTable.StoredRun, texts: inout TextInterner, in table: TextTable) throws {
        keys = try RecordKeys(run.first.content, texts: &texts, in: table)
        startMicroseconds = run.first.startMicroseconds
        totals = UsageTotals(run.first.content, count: run.count)
    }
}
