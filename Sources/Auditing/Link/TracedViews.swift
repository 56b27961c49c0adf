// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The views of a log that are drawn: its first list, and the first return of that user to a list.
///
/// The first is the earliest, of several at one time that of the user whose name comes first: so a log's parts, split by users,
/// agree on it.
package struct TracedViews: Sendable, Hashable, Codable {
    /// When the first list was shown, in milliseconds of the session.
    let atMilliseconds: Int64
    /// Its user.
    let client: String
    /// The numbers of the views in the log, from 1; the second is the return, where there is one.
    let numbers: [Int]

    /// Finds the views among those of some users; `nil` where they show no list.
    init?(of users: [UserViews]) {
        let firsts = users.compactMap { user in
            user.views.filter(\.view.action.showsList).min { $0.view.atMilliseconds < $1.view.atMilliseconds }
        }
        guard let first = firsts.min(by: { Self.key($0.view) < Self.key($1.view) }) else { return nil }
        atMilliseconds = first.view.atMilliseconds
        client = first.view.client
        var seen: Set<SessionView.Listing> = []
        let back = users.first { [client] in $0.client == client }?.views.first { numbered in
            guard let listing = numbered.view.action.firstPage else { return false }
            return !seen.insert(listing).inserted
        }
        numbers = [first.number] + (back.map { [$0.number] } ?? [])
    }

    /// Whether these are drawn, not those of another part, which may have none.
    func isBefore(_ other: TracedViews?) -> Bool {
        guard let other else { return true }
        return (atMilliseconds, client) < (other.atMilliseconds, other.client)
    }

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
