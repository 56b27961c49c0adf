// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The assumptions about users whose views are not in a log.
package struct InferenceRules: Sendable, Hashable {
    /// Downloads of a user that follow each other within this time belong to one view, in microseconds.
    package var viewGap: Int64 = 2_000_000
    /// After this long without a request, the app is taken to have been restarted, in microseconds. (Half an hour ends a session
    /// in most analytics; Google Analytics 4's default, 2026.)
    package var relaunchGap: Int64 = 1_800_000_000
    /// Which share of the posts were opened whose images the list had loaded anyway, in percent; it is not in a log.
    package var openedPercent = 10

    /// Creates the rules.
    package init() {}
}
