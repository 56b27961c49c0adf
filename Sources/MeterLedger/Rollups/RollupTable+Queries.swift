// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Metering

extension RollupTable {
    /// Returns the sum of what a selection takes.
    func totals(_ selection: UsageSelection) throws -> UsageTotals {
        var totals = UsageTotals.zero
        try eachRow(of: .service, selection: selection, columns: TotalsColumns.names) { _, rows in
            totals.add(UsageTotals(rows, from: 2))
        }
        return totals
    }

    /// Returns the groups, those with the largest figure first, then by the bytes of their keys.
    ///
    /// `order` is the figure, or several that are added up, each times its weight.
    ///
    /// Every record belongs to one group, so all of them add up to the total.
    func groups(
        by dimension: UsageDimension,
        selection: UsageSelection,
        order: [UsageFigure: Double],
        limit: Int
    ) throws -> [UsageGroup] {
        let ranking = try ranking(by: dimension, selection: selection, order: order, limit: limit)
        // The sums of those that are listed only: there may be many others.
        var sums = Dictionary(uniqueKeysWithValues: ranking.map { ($0.id, UsageTotals.zero) })
        try eachRow(of: dimension, selection: selection, columns: TotalsColumns.names) { id, rows in
            sums[id]?.add(UsageTotals(rows, from: 2))
        }
        return ranking.map { UsageGroup(key: $0.key, totals: sums[$0.id] ?? .zero) }
    }

    /// Returns the ids and keys of the first groups.
    private func ranking(
        by dimension: UsageDimension,
        selection: UsageSelection,
        order: [UsageFigure: Double],
        limit: Int
    ) throws -> [(id: Int64, key: String)] {
        // In one order, so that the statement is found again, and the same sums come out.
        let weights = order.sorted { $0.key.column < $1.key.column }
        var figures: [Int64: Double] = [:]
        try eachRow(of: dimension, selection: selection, columns: weights.map(\.key.column)) { id, rows in
            figures[id, default: 0] += weights.indices.reduce(0) { $0 + Double(rows[2 + $1]) * weights[$1].value }
        }
        let ranks = figures.sorted { $0.value > $1.value }
        // Those that are equal to the last one sent may come before it.
        let last = limit > 0 && limit < ranks.count ? ranks[limit - 1].value : nil
        let candidates = last.map { last in ranks.prefix { $0.value >= last } } ?? ranks.prefix(limit)
        let texts = TextTable(database: database)
        return try candidates.map { (figure: $0.value, id: $0.key, key: try texts.text(of: $0.key)) }
            .sorted { left, right in
                guard left.figure == right.figure else { return left.figure > right.figure }
                return left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
            }
            .prefix(limit).map { ($0.id, $0.key) }
    }

    /// Returns the parts of what a selection takes that lie in stretches of a number of minutes, the earliest first.
    func series(ofMinutes minutes: Int64, selection: UsageSelection) throws -> [UsageSeries.Step] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT period.minute, tag, \(TotalsColumns.list) FROM rollup JOIN period ON period.id = rollup.period
                WHERE dimension = ? AND period > ?
                """
        )
        let mark = selection.mark ?? .beginning
        let rows = NumberRows(statement, arguments: [RollupDimension.smallest.rawValue, mark.period])
        let isSelected = try tagCheck(selection)
        var sums: [Int64: UsageTotals] = [:]
        while try rows.next() {
            guard isSelected(rows[1]) else { continue }
            sums[rows[0] / minutes, default: .zero].add(UsageTotals(rows, from: 2))
        }
        return sums.sorted { $0.key < $1.key }.map { step, totals in
            UsageSeries.Step(startSeconds: step * minutes * 60, totals: totals)
        }
    }

    /// Returns what each service was billed for in the periods that begin with a minute or after it.
    func billed(sinceMinute minute: Int64) throws -> [UsageLedger.BilledStretch] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT period.minute, key, \(TotalsColumns.list) FROM period JOIN rollup ON rollup.period = period.id
                WHERE rollup.dimension = ? AND period.minute >= ?
                """
        )
        let rows = NumberRows(statement, arguments: [RollupDimension.service.rawValue, minute])
        let texts = TextTable(database: database)
        var stretches: [UsageLedger.BilledStretch] = []
        while try rows.next() {
            guard let service = UsageAttribution.Service(rawValue: try texts.text(of: rows[1])) else {
                throw UsageLedgerError.unreadable("service")
            }
            let billed = UsageTotals(rows, from: 2).billed
            stretches.append(.init(startMicroseconds: rows[0] * 60_000_000, service: service, billed: billed))
        }
        return stretches
    }

    /// Calls back for each row that a selection takes, with the id of its value and the columns, which begin behind two.
    private func eachRow(
        of dimension: UsageDimension,
        selection: UsageSelection,
        columns: [String],
        _ body: (_ id: Int64, NumberRows) -> Void
    ) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \((["key", "tag"] + columns).joined(separator: ", ")) FROM rollup
                WHERE dimension = ? AND period \(selection.mark == nil ? "=" : ">") ?
                """
        )
        let rows = NumberRows(
            statement,
            arguments: [(dimension.rollup ?? .smallest).rawValue, selection.mark?.period ?? Periods.all]
        )
        let keyColumn = dimension.rollup == nil ? 1 : 0
        let isSelected = try tagCheck(selection)
        while try rows.next() {
            if isSelected(rows[1]) { body(rows[keyColumn], rows) }
        }
    }

    /// Returns whether the id of a tag is that of the selection's, or any if it names none.
    private func tagCheck(_ selection: UsageSelection) throws -> (Int64) -> Bool {
        guard let text = selection.tag else { return { _ in true } }
        let tag = try TextTable(database: database).knownID(of: text)
        return { $0 == tag }
    }
}
