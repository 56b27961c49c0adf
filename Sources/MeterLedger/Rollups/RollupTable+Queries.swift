// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Metering

extension RollupTable {
    /// Returns the sum of what a selection takes.
    func totals(_ selection: UsageSelection) throws -> UsageTotals {
        try sums(by: .service, selection).values.reduce(into: .zero) { $0.add($1) }
    }

    /// Returns the groups, those with the largest figure first, then by the bytes of their keys.
    ///
    /// Every record belongs to one group, so all of them add up to the total.
    func groups(
        by dimension: UsageDimension,
        _ selection: UsageSelection,
        order: UsageFigure,
        limit: Int
    ) throws -> [UsageGroup] {
        var ranks = try sums(by: dimension, selection).map { id, totals in
            (figure: order.value(totals), id: id, totals: totals)
        }
        ranks.sort { $0.figure > $1.figure }
        // Those that are equal to the last one told may come before it.
        let last = limit > 0 && limit < ranks.count ? ranks[limit - 1].figure : nil
        let candidates = last.map { last in ranks.prefix { $0.figure >= last } } ?? ranks.prefix(limit)
        let texts = TextTable(database: database)
        return try candidates.map { rank in
            (figure: rank.figure, group: UsageGroup(key: try texts.text(of: rank.id), totals: rank.totals))
        }
        .sorted { left, right in
            guard left.figure == right.figure else { return left.figure > right.figure }
            return left.group.key.utf8.lexicographicallyPrecedes(right.group.key.utf8)
        }
        .prefix(limit).map(\.group)
    }

    /// Returns the parts of what a selection takes that lie in stretches of so many minutes, the earliest first.
    func series(ofMinutes minutes: Int64, _ selection: UsageSelection) throws -> [UsageSeries.Step] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT period.minute, tag, \(TotalsColumns.list) FROM rollup JOIN period ON period.id = rollup.period
                WHERE dimension = ? AND period > ?
                """
        )
        let rows = NumberRows(
            statement,
            [RollupDimension.smallest.rawValue, (selection.mark ?? .beginning).period]
        )
        let sums = try sum(rows, selection, keyColumn: 0, tagColumn: 1) { $0 / minutes }
        return sums.sorted { $0.key < $1.key }.map { step, totals in
            UsageSeries.Step(startSeconds: step * minutes * 60, totals: totals)
        }
    }

    /// Returns the sums of what a selection takes by the ids of the values of a dimension.
    private func sums(by dimension: UsageDimension, _ selection: UsageSelection) throws -> [Int64: UsageTotals] {
        let isSince = selection.mark != nil
        let statement = try database.cachedStatement(
            sql: """
                SELECT key, tag, \(TotalsColumns.list) FROM rollup WHERE dimension = ? AND period \(isSince ? ">" : "=") ?
                """
        )
        let rows = NumberRows(
            statement,
            [(dimension.rollup ?? .smallest).rawValue, selection.mark?.period ?? Periods.all]
        )
        return try sum(rows, selection, keyColumn: dimension.rollup == nil ? 1 : 0, tagColumn: 1) { $0 }
    }

    /// Adds up rows, whose sums begin in column 2, by a column; only those of the tag asked for.
    private func sum(
        _ rows: NumberRows,
        _ selection: UsageSelection,
        keyColumn: Int,
        tagColumn: Int,
        _ group: (Int64) -> Int64
    ) throws -> [Int64: UsageTotals] {
        var sums: [Int64: UsageTotals] = [:]
        let tag = try selection.tag.map { try TextTable(database: database).knownID(of: $0) }
        while try rows.next() {
            if let tag, rows[tagColumn] != tag { continue }
            sums[group(rows[keyColumn]), default: .zero].add(UsageTotals(rows, from: 2))
        }
        return sums
    }
}
