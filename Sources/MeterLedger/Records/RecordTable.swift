// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Metering

/// The statements on records.
struct RecordTable {
    let database: Database

    /// The sequence number of the last row, 0 for none.
    func lastSequence() throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT max(sequence) FROM record")
        return try Int64.fetchOne(statement) ?? 0
    }
}

extension RecordTable {
    /// Deletes some of the rows that are too many or too old, if there are such; returns whether there were.
    ///
    /// The newest row stays, so that its sequence number is not given twice.
    ///
    /// `limits` bounds how many rows are kept, and for how long, back from when the newest began; at most `countMax` rows
    /// are deleted.
    func trim(_ limits: UsageLedgerLimits, countMax: Int64) throws -> Bool {
        let lastSequence = try lastSequence()
        guard let first = try Int64.fetchOne(database, sql: "SELECT min(sequence) FROM record"), first < lastSequence,
            let latest = try startMicroseconds(of: lastSequence)
        else { return false }
        try database.execute(
            sql: """
                DELETE FROM record WHERE sequence BETWEEN ? AND ? AND (sequence <= ? OR startMicroseconds < ?)
                """,
            arguments: [
                first, min(first + countMax - 1, lastSequence - 1), lastSequence - Int64(limits.keptRowCountMax),
                max(latest, 0) - Int64(limits.keptAgeMax / .microseconds(1)),
            ]
        )
        return database.changesCount > 0
    }

    private func startMicroseconds(of sequence: Int64) throws -> Int64? {
        let sql = "SELECT startMicroseconds FROM record WHERE sequence = ?"
        return try Int64.fetchOne(database, sql: sql, arguments: [sequence])
    }
}

extension RecordTable {
    static let columns = """
        startMicroseconds, durationMicroseconds, method, status, outcome, service, operation, bucket, object, feed, \
        database, collection, query, client, user, \(TotalsColumns.list), \
        recordCount, laterTimes, tag, abortCause
        """
    private static let columnCount = columns.split(separator: ",").count
    private static let insertRecord = """
        INSERT INTO record (\(columns)) VALUES (\(Array(repeating: "?", count: columnCount).joined(separator: ", ")))
        """

    /// Inserts records, and returns their rows.
    func insert(_ batch: [UsageRun], texts: inout TextInterner) throws -> [WrittenRow] {
        var insertion = RowInsertion(try database.cachedStatement(sql: Self.insertRecord))
        let table = TextTable(database: database)
        return try UsageRun.merging(batch).map { run in
            let content = run.first.content
            let keys = try RecordKeys(content, texts: &texts, in: table)
            let totals = UsageTotals(content, count: Int64(run.count))
            try insertion.append(run, keys: keys, totals: totals)
            try insertion.run()
            return WrittenRow(keys: keys, startMicroseconds: run.first.startMicroseconds, totals: totals)
        }
    }
}

/// The values of a row in the order of its columns.
extension RowInsertion {
    fileprivate mutating func append(_ run: UsageRun, keys: RecordKeys, totals: UsageTotals) throws {
        append(run.first.startMicroseconds)
        append(run.first.durationMicroseconds)
        append(keys.method)
        append(Int64(run.first.status))
        append(keys.outcome)
        append(keys.service)
        append(keys.operation)
        append(keys.bucket)
        append(keys.object)
        append(keys.feed)
        append(keys.database)
        append(keys.collection)
        append(keys.query)
        append(keys.client)
        append(keys.user)
        append(totals.columnValues)
        append(Int64(run.count))
        try append(run.packedTimes)
        append(keys.tag)
        append(keys.abortCause)
    }
}

/// A row of records, as far as rollups need to know it.
struct WrittenRow {
    let keys: RecordKeys
    /// When the first of them began.
    let startMicroseconds: Int64
    /// Their sum.
    let totals: UsageTotals
}

extension UsageRun {
    /// Brings together the records that are copies of each other, which take one row; in the order of the first of each.
    static func merging(_ batch: [UsageRun]) -> [UsageRun] {
        var merged: [UsageRun] = []
        var places: [ObjectIdentifier: Int] = [:]
        for run in batch {
            let id = run.first.contentID
            if let place = places[id], merged[place].append(run) { continue }
            places[id] = merged.count
            merged.append(run)
        }
        return merged
    }
}
