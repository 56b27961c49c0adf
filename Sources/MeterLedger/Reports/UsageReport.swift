// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

/// The answer to `GET /usage`.
package struct UsageReport: Hashable, Sendable {
    /// The groups of a report, and what they have in common.
    package struct Breakdown: Hashable, Sendable {
        /// The attribute that groups share.
        package var dimension: UsageDimension
        /// The groups, or the first of them.
        package var groups: [UsageGroup]
        /// The sum of those left out, so that all adds up to the total; `nil` where none is left out.
        package var others: UsageTotals?

        /// Creates a breakdown.
        package init(by dimension: UsageDimension, groups: [UsageGroup], others: UsageTotals? = nil) {
            self.dimension = dimension
            self.groups = groups
            self.others = others
        }
    }

    /// The sum of the records asked for.
    package var total: UsageTotals
    /// The records in groups, if asked for.
    package var breakdown: Breakdown?
    /// The records in time, if asked for.
    package var series: UsageSeries?

    /// The usage that all of them lack; `nil` for a ledger that has lost nothing and can be written.
    package var gap: UsageGap?

    /// Creates a report.
    package init(
        total: UsageTotals,
        breakdown: Breakdown? = nil,
        series: UsageSeries? = nil,
        gap: UsageGap? = nil
    ) {
        self.total = total
        self.breakdown = breakdown
        self.series = series
        self.gap = gap
    }
}
