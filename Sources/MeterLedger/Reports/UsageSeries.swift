// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Metering

/// The usage in consecutive intervals.
package struct UsageSeries: Hashable, Sendable {
    /// The usage in one interval; intervals without usage are left out.
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
