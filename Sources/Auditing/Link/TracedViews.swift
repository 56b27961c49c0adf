// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The views of a log that are drawn: its first list, and the first return of that user to a list.
///
/// The first is the earliest, of several at one time that of the user whose name comes first: so a log's parts, split by users,
/// agree on it.
struct TracedViews: Sendable, Hashable, Codable {
    /// When the first list was shown, in milliseconds of the session.
    let atMilliseconds: Int64
    /// Its user.
    let client: String
    /// The numbers of the views in the log, from 1; the second is the return, where there is one.
    let numbers: [Int]

    /// Finds the views; `nil` for a log without lists.
    init?(of log: SessionLog) {
        let lists = log.views.indices.filter { log.views[$0].action.showsList }
        guard let first = lists.min(by: { Self.key(log.views[$0]) < Self.key(log.views[$1]) }) else { return nil }
        atMilliseconds = log.views[first].atMilliseconds
        client = log.views[first].client
        var seen: Set<SessionView.Listing> = []
        let back = log.views.indices.first { [client] index in
            let view = log.views[index]
            guard view.client == client, let listing = view.action.firstPage else { return false }
            return !seen.insert(listing).inserted
        }
        numbers = [first + 1] + (back.map { [$0 + 1] } ?? [])
    }

    /// Whether these are drawn, not those of another part.
    func isBefore(_ other: TracedViews) -> Bool { (atMilliseconds, client) < (other.atMilliseconds, other.client) }

    private static func key(_ view: SessionView) -> (Int64, String) { (view.atMilliseconds, view.client) }
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
