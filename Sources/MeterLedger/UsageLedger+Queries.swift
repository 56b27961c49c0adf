// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

extension UsageLedger {
    /// Returns the present moment; what is recorded from now on is since this mark.
    package func mark() throws -> UsageMark {
        try reading { UsageMark(sequence: try $0.lastSequence()) }
    }

    /// Returns the sum of all records, or of those since a mark.
    package func totals(since mark: UsageMark? = nil) throws -> UsageTotals {
        try reading { try $0.totals(after: mark?.sequence ?? 0) }
    }

    /// Returns the records grouped, those that sent the most wire bytes first, then by key.
    ///
    /// The groups add up exactly to the total: records without the field form the group of the empty key.
    package func breakdown(by dimension: UsageDimension, since mark: UsageMark? = nil) throws -> [UsageGroup] {
        try reading { try $0.groups(by: dimension, after: mark?.sequence ?? 0) }
    }

    /// Returns records in the order of their recording, but copies of one that were written together one after the other.
    package func records(since mark: UsageMark? = nil, limit: Int) throws -> [UsageRecord] {
        precondition(limit >= 0, "the limit cannot be negative (is \(limit))")
        return try reading { try $0.records(after: mark?.sequence ?? 0, limit: limit) }
    }

    /// Returns what `GET /usage` answers; total and groups are of one moment.
    package func report(by dimension: UsageDimension? = nil, since mark: UsageMark? = nil) throws -> UsageReport {
        try reading { table in
            let sequence = mark?.sequence ?? 0
            let total = try table.totals(after: sequence)
            guard let dimension else { return UsageReport(total: total) }
            let groups = try table.groups(by: dimension, after: sequence)
            return UsageReport(total: total, breakdown: UsageReport.Breakdown(by: dimension, groups: groups))
        }
    }
}
