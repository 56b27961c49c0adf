// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
