// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

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
