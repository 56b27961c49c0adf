// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Metering

/// What was used in stretches of time that follow each other.
package struct UsageSeries: Hashable, Sendable {
    /// What was used in one of them; stretches in which nothing was are left out.
    package struct Step: Hashable, Sendable {
        /// When it began, in seconds since the Unix epoch.
        package var startSeconds: Int64
        /// The sum.
        package var totals: UsageTotals

        /// When it began, as RFC 3339 writes times.
        var start: String { Date(timeIntervalSince1970: TimeInterval(startSeconds)).formatted(.iso8601) }

        /// Creates a step.
        package init(startSeconds: Int64, totals: UsageTotals) {
            self.startSeconds = startSeconds
            self.totals = totals
        }
    }

    /// How long each stretch is.
    package var minutes: Int64
    /// The stretches, the earliest first; they add up to the total.
    package var steps: [Step]

    /// Creates a series.
    package init(minutes: Int64, steps: [Step]) {
        self.minutes = minutes
        self.steps = steps
    }
}
