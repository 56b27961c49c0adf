// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The statements on rollups.
struct RollupTable {
    let database: Database

    private static let keyColumns = "dimension, period, key, tag"
    private static let addSum = """
        INSERT INTO rollup (\(keyColumns), \(TotalsColumns.list))
        VALUES (?, ?, ?, ?, \(TotalsColumns.names.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT DO UPDATE SET \(TotalsColumns.names.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", "))
        """

    /// Adds sums to what is stored, which then holds the records up to `sequence`.
    func add(_ buffer: RollupBuffer, of periods: Periods, upTo sequence: Int64) throws {
        let insertPeriod = try database.cachedStatement(sql: "INSERT INTO period (id, minute) VALUES (?, ?)")
        for (id, minute) in periods.unstored { try insertPeriod.execute(arguments: [id, minute]) }
        var insertion = RowInsertion(try database.cachedStatement(sql: Self.addSum))
        // In the order of the rows, each page of them is changed once.
        for key in buffer.sums.keys.sorted() {
            guard let totals = buffer.sums[key] else { continue }
            for period in [Periods.all, key.period] {
                insertion.append([key.dimension.rawValue, period, key.key, key.tag])
                insertion.append(totals.columnValues)
                try insertion.run()
            }
        }
        try database.execute(sql: "UPDATE progress SET rolledSequence = ?", arguments: [sequence])
    }

    /// The last record whose figures are in the rollups.
    func rolledSequence() throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT rolledSequence FROM progress") ?? 0
    }

    /// The last period stored.
    func lastPeriod() throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT max(id) FROM period") ?? Periods.all
    }

    /// The period before which there are hours, but no minutes.
    func coarsePeriod() throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT coarsePeriod FROM progress") ?? Periods.all
    }
}
