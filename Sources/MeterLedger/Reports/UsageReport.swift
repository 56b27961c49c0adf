// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

/// The answer to `GET /usage`.
package struct UsageReport: Hashable, Sendable {
    /// The groups of a report, and what they have in common.
    package struct Breakdown: Hashable, Sendable {
        /// What the groups are by.
        package var dimension: UsageDimension
        /// The groups, which add up to the total.
        package var groups: [UsageGroup]

        /// Creates a breakdown.
        package init(by dimension: UsageDimension, groups: [UsageGroup]) {
            self.dimension = dimension
            self.groups = groups
        }
    }

    /// The sum of the records asked for.
    package var total: UsageTotals
    /// The same records in groups, if asked for.
    package var breakdown: Breakdown?

    /// Creates a report.
    package init(total: UsageTotals, breakdown: Breakdown? = nil) {
        self.total = total
        self.breakdown = breakdown
    }
}
