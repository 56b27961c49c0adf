// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

/// The query of a usage report.
package struct UsageQuestion: Hashable, Sendable {
    /// How the records are to be grouped.
    package struct Grouping: Hashable, Sendable {
        /// The attribute that groups share.
        package var dimension: UsageDimension
        /// The groups with the most of it come first.
        package var order: UsageFigure
        /// The prices of what groups have used, which they are listed with; `nil` for none.
        package var prices: UsagePrices?
        /// Whether the groups that cost the most come first, whatever ``order`` says.
        package var isByCost: Bool
        /// How many groups are listed; the others are summed up.
        package var limit: Int

        /// How many groups are listed by default.
        package static let limitDefault = 10_000
        /// The most groups that are listed.
        package static let limitMax = 100_000

        /// Creates a grouping.
        package init(
            by dimension: UsageDimension,
            order: UsageFigure = .sent,
            prices: UsagePrices? = nil,
            isByCost: Bool = false,
            limit: Int = limitDefault
        ) {
            precondition((0...Self.limitMax).contains(limit), "at most \(Self.limitMax) groups are told (not \(limit))")
            self.dimension = dimension
            self.order = order
            self.prices = prices
            self.isByCost = isByCost
            self.limit = limit
        }
    }

    /// Which records it is about.
    package var selection: UsageSelection
    /// The groups wanted; `nil` for none.
    package var grouping: Grouping?
    /// The length of the steps in time that are wanted; `nil` for none.
    package var seriesMinutes: Int64?

    /// Creates a question, for the total of everything where nothing is named.
    package init(
        _ selection: UsageSelection = UsageSelection(),
        grouping: Grouping? = nil,
        seriesMinutes: Int64? = nil
    ) {
        if let seriesMinutes { precondition(seriesMinutes > 0, "steps must take time (\(seriesMinutes) minutes)") }
        self.selection = selection
        self.grouping = grouping
        self.seriesMinutes = seriesMinutes
    }
}

/// Which records a report is about.
package struct UsageSelection: Hashable, Sendable {
    /// Only those that came after a mark.
    package var mark: UsageMark?
    /// Only those with this tag; the empty one is that of records without.
    package var tag: String?

    /// Creates a selection, of everything where nothing is named.
    package init(since mark: UsageMark? = nil, tag: String? = nil) {
        self.mark = mark
        self.tag = tag
    }
}

/// The usage of all records that share a key.
package struct UsageGroup: Hashable, Sendable {
    /// The value shared; empty for the records that have none.
    package var key: String
    /// Their sum.
    package var totals: UsageTotals

    /// Creates a group.
    package init(key: String, totals: UsageTotals) {
        self.key = key
        self.totals = totals
    }
}
