// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// What came when in one view: the query, the images, and what was loaded beforehand.
package struct Waterfall: Sendable, Hashable {
    /// Something that the view asked for; times in nanoseconds from the user's touch on.
    package struct Row: Sendable, Hashable {
        /// Where it came from.
        package enum Source: Sendable, Hashable {
            /// The document server.
            case query
            /// The metadata of an image.
            case lookup
            /// The object server.
            case network
            /// The cache in memory, or another request for the same image.
            case memory
            /// The cache on disk.
            case disk
        }

        /// What it was: the query, or an object's name.
        package let name: String
        /// Where it came from.
        package let source: Source
        /// When the app asked for it.
        package let asked: Int64
        /// When the request was sent; before that it waited for others.
        package let sent: Int64
        /// When its first byte could come.
        package let ready: Int64
        /// When it was there.
        package let end: Int64
    }

    /// The number of the view in the log, from 1.
    package let view: Int
    /// What it showed.
    package let screen: String
    /// What was asked for, in this order.
    package let rows: [Row]

    init(of timing: SimulatedLink.Timing, view: Int, screen: String) {
        self.view = view
        self.screen = screen
        rows = timing.rows
    }

    /// The views that are drawn: the first list of the log, and when its user comes back to a list for the first time.
    static func views(of log: SessionLog) -> [Int] {
        guard let first = log.views.firstIndex(where: \.action.showsList) else { return [] }
        let client = log.views[first].client
        var seen: Set<SessionView.Listing> = []
        let back = log.views.indices.first { index in
            let view = log.views[index]
            guard view.client == client, let listing = view.action.firstPage else { return false }
            return !seen.insert(listing).inserted
        }
        return [first + 1] + (back.map { [$0 + 1] } ?? [])
    }
}

extension SessionView.Action {
    /// Whether the step shows a page of a list.
    var showsList: Bool {
        switch self {
        case .openFeed, .scroll, .switchTab, .showPosts: true
        case .openPost, .relaunch: false
        }
    }

    /// The list whose first page the step shows.
    fileprivate var firstPage: SessionView.Listing? {
        switch self {
        case .openFeed(let listing, page: 0), .switchTab(let listing): listing
        case .openFeed, .scroll, .openPost, .relaunch, .showPosts: nil
        }
    }
}
