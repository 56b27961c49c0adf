// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

extension UsageLedger {
    /// Returns the present moment; what is recorded from now on is since this mark.
    package func mark() throws -> UsageMark {
        try whileWritten { $0.mark() }
    }

    /// Returns the sum of all records, or of those of a selection.
    package func totals(_ selection: UsageSelection = UsageSelection()) throws -> UsageTotals {
        try report(UsageQuestion(selection)).total
    }

    /// Returns records in the order of their recording, but copies of one that were written together one after the other.
    ///
    /// The oldest are no longer kept, see ``UsageLedgerLimits``.
    package func records(since mark: UsageMark? = nil, limit: Int) throws -> [UsageRecord] {
        precondition(limit >= 0, "the limit cannot be negative (is \(limit))")
        return try reading { database, _ in
            try RecordTable(database: database).records(after: mark?.sequence ?? 0, limit: limit)
        }
    }

    /// The billed usage of a service in an interval.
    package struct BilledStretch: Sendable {
        /// When it began, in microseconds since the Unix epoch; it lasts a minute, or long ago an hour.
        package let startMicroseconds: Int64
        /// The service.
        package let service: UsageAttribution.Service
        /// The sum.
        package let billed: BilledUsage
    }

    /// Returns what was billed in the minutes that began at a time or after it, in microseconds since the Unix epoch.
    package func billed(since microseconds: Int64) throws -> [BilledStretch] {
        try reading { database, _ in try RollupTable(database: database).billed(sinceMinute: microseconds / 60_000_000)
        }
    }

    /// Returns what `GET /usage` answers, all of it of one moment.
    ///
    /// A ledger that cannot be written answers with what it could write, and says what that lacks.
    ///
    /// The groups add up exactly to the total: records without a value form the group of the empty key.
    ///
    /// - Throws: ``UsageLedgerError``, for a mark of another ledger or one that is too old as well.
    package func report(_ question: UsageQuestion = UsageQuestion()) throws -> UsageReport {
        try reading { database, gap in
            let rollups = RollupTable(database: database)
            try rollups.check(question.selection.mark)
            let total = try rollups.totals(question.selection)
            return UsageReport(
                total: total,
                breakdown: try question.grouping.map {
                    try rollups.breakdown($0, selection: question.selection, of: total)
                },
                series: try question.seriesMinutes.map { minutes in
                    UsageSeries(
                        minutes: minutes,
                        steps: try rollups.series(ofMinutes: minutes, selection: question.selection)
                    )
                },
                gap: gap
            )
        }
    }
}

extension RollupTable {
    fileprivate func check(_ mark: UsageMark?) throws {
        guard let mark else { return }
        guard mark.period <= (try lastPeriod()) else { throw UsageLedgerError.unknownMark(mark) }
        guard mark.period >= (try coarsePeriod()) else { throw UsageLedgerError.lateMark(mark) }
    }

    fileprivate func breakdown(
        _ grouping: UsageQuestion.Grouping,
        selection: UsageSelection,
        of total: UsageTotals
    ) throws -> UsageReport.Breakdown {
        let groups = try groups(
            by: grouping.dimension,
            selection: selection,
            order: grouping.isByCost ? grouping.prices?.usd ?? [:] : [grouping.order: 1],
            limit: grouping.limit
        )
        let others = groups.reduce(total) { $0 - $1.totals }
        return UsageReport.Breakdown(
            by: grouping.dimension,
            groups: groups,
            others: groups.count == grouping.limit && others != .zero ? others : nil,
            prices: grouping.prices
        )
    }
}
