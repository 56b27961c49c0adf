// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Metering

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

extension RollupTable {
    private static let minutesOfHour: Int64 = 60

    /// Sums up the minutes of one hour that is long past, if there is such an hour; returns whether there was.
    ///
    /// This many minutes, back from the latest, are kept as they are.
    func sumUpHour(keepingMinutes minuteCount: Int64) throws -> Bool {
        let bounds = "SELECT min(minute) FILTER (WHERE NOT isHour) AS oldest, max(minute) AS latest FROM period"
        guard let row = try Row.fetchOne(database, sql: bounds), let oldest = row["oldest"] as Int64?,
            let latest = row["latest"] as Int64?
        else { return false }
        let start = oldest - oldest % Self.minutesOfHour
        guard start + Self.minutesOfHour <= latest - minuteCount else { return false }
        try sumUp(from: start, to: start + Self.minutesOfHour)
        return true
    }

    private func sumUp(from start: Int64, to end: Int64) throws {
        let minutes = "SELECT id FROM period WHERE minute >= \(start) AND minute < \(end) AND NOT isHour"
        guard let hour = try Int64.fetchOne(database, sql: "SELECT max(id) FROM (\(minutes))") else { return }
        let dimensions = RollupDimension.allCases.map { String($0.rawValue) }.joined(separator: ", ")
        let rows = "dimension IN (\(dimensions)) AND period IN (\(minutes))"
        // Under the period's negative, as long as the minute of the same number is there.
        try database.execute(
            sql: """
                INSERT INTO rollup (dimension, period, key, tag, \(TotalsColumns.list))
                    SELECT dimension, \(-hour), key, tag, \(TotalsColumns.sums) FROM rollup WHERE \(rows)
                    GROUP BY dimension, key, tag;
                DELETE FROM rollup WHERE \(rows);
                UPDATE rollup SET period = \(hour) WHERE dimension IN (\(dimensions)) AND period = \(-hour);
                DELETE FROM period WHERE id IN (\(minutes)) AND id <> \(hour);
                UPDATE period SET minute = \(start), isHour = 1 WHERE id = \(hour);
                UPDATE progress SET coarsePeriod = max(coarsePeriod, \(hour));
                """
        )
    }
}

/// The key of a rollup's row, which sums up the records of one period, one tag, and one value of a dimension.
struct RollupKey: Hashable, Comparable {
    let dimension: RollupDimension
    let period: Int64
    /// The id of the value.
    let key: Int64
    /// The id of the tag.
    let tag: Int64

    /// The order in which the rows lie.
    static func < (left: Self, right: Self) -> Bool {
        (left.dimension.rawValue, left.period, left.key, left.tag)
            < (right.dimension.rawValue, right.period, right.key, right.tag)
    }
}

/// The sums that records have added since the rollups were stored last.
struct RollupBuffer {
    private(set) var sums: [RollupKey: UsageTotals] = [:]

    var isEmpty: Bool { sums.isEmpty }
    var count: Int { sums.count }

    /// Adds the records of a row, which lie in a period.
    mutating func add(_ row: WrittenRow, period: Int64) {
        let tag = row.keys.tag ?? TextTable.emptyID
        for dimension in RollupDimension.allCases {
            let key = dimension.key(row.keys)
            sums[RollupKey(dimension: dimension, period: period, key: key, tag: tag), default: .zero].add(row.totals)
        }
    }

    /// Forgets what has been stored; the memory is used again.
    mutating func removeAll() { sums.removeAll(keepingCapacity: true) }
}
