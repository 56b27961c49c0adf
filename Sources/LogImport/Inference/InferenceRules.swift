// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The assumptions about users whose views are not in a log.
package struct InferenceRules: Sendable, Hashable {
    /// Downloads of a user that follow each other within this time belong to one view, in microseconds.
    package var viewGap: Int64 = 2_000_000
    /// After this long without a request, the app is taken to have been restarted, in microseconds: 25.5 minutes.
    ///
    /// The mean and 1.5 standard deviations of the time between two actions of a user; Catledge and Pitkow, "Characterizing
    /// Browsing Strategies in the World-Wide Web" (1995). Analytics later rounded it to half an hour.
    package var relaunchGap: Int64 = 1_530_000_000
    /// Which share of the posts were opened whose images the list had loaded anyway, in percent; it is not in a log.
    package var openedPercent = 10

    /// Creates the rules.
    package init() {}

    /// ``relaunchGap`` in minutes.
    package var relaunchGapMinutes: Double {
        get { Double(relaunchGap) / 60_000_000 }
        set { relaunchGap = Int64((newValue * 60_000_000).rounded()) }
    }
}
