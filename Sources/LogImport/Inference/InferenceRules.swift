// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The assumptions about users whose views are not in a log.
package struct InferenceRules: Sendable, Hashable {
    /// Downloads of a user that follow each other within this time belong to one view, in microseconds.
    package var viewGap: Int64 = 2_000_000
    /// After this long without a download, the app is taken to have been restarted, in microseconds. (Half an hour ends a session in most
    /// analytics; Google Analytics 4's default, 2026.)
    package var relaunchGap: Int64 = 1_800_000_000
    /// Which share of the posts were opened whose images the list had loaded anyway, in percent; it is not in a log.
    package var openedPercent = 10

    /// Creates the rules.
    package init() {}

    /// The rules in sentences.
    func sentences(listsLoadAll: Bool) -> [String] {
        [
            "a user is an address and a program; users behind one address with the same program are one",
            "downloads within \(viewGap / 1_000) ms of each other are one view; after \(relaunchGap / 60_000_000) minutes without one"
                + " the app was started anew",
            "what the app's caches answered is in no server's log: users may have seen more than this",
            listsLoadAll
                ? "lists load all images of a post, so that the log does not tell which posts were opened; \(openedPercent) % of them,"
                    + " chosen by their names, count as opened right after they were shown"
                : "a post whose further images were loaded was opened",
            "resized copies of images are passed over",
            "images that were never downloaded are not known, and weigh nothing",
        ]
    }
}
