// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Metering

extension RecordTable {
    static let columns = """
        startMicroseconds, durationMicroseconds, method, status, outcome, service, operation, bucket, object, feed, \
        database, collection, query, client, user, \(TotalsColumns.list), \
        recordCount, laterTimes, tag, abortCause
        """
    private static let columnCount = 32
    private static let insertRecord = """
        INSERT INTO record (\(columns)) VALUES (\(Array(repeating: "?", count: columnCount).joined(separator: ", ")))
        """

    /// Inserts records, and returns their rows.
    func insert(_ batch: [UsageRun], texts: inout TextInterner) throws -> [WrittenRow] {
        var insertion = RowInsertion(try database.cachedStatement(sql: Self.insertRecord))
        let table = TextTable(database: database)
        return try UsageRun.merging(batch).map { run in
            let content = run.first.content
            let keys = try RecordKeys(content, &texts, in: table)
            let totals = UsageTotals(content, count: Int64(run.count))
            try insertion.append(run, keys, totals)
            try insertion.run()
            return WrittenRow(keys: keys, startMicroseconds: run.first.startMicroseconds, totals: totals)
        }
    }
}

/// The values of a row in the order of its columns.
extension RowInsertion {
    fileprivate mutating func append(_ run: UsageRun, _ keys: RecordKeys, _ totals: UsageTotals) throws {
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
