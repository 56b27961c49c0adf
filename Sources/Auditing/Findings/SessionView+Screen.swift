// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import SessionLog

extension SessionView.Action {
    /// The step with its page, as findings name it: `scroll popular, page 2`.
    var page: String {
        switch self {
        case .openFeed(let listing, let page), .scroll(let listing, let page):
            "\(kind.rawValue) \(listing.name), page \(page)"
        case .switchTab(let listing): "\(kind.rawValue) \(listing.name)"
        case .showPosts(let shown): shown.list.map { "\($0.name), page \($0.page)" } ?? kind.rawValue
        case .openPost, .relaunch: kind.rawValue
        }
    }

    /// The screen, or the tab of one, that the step shows, whatever its page: `popular`, or a recorded list's query; `nil` where
    /// it shows none.
    var screen: String? {
        switch self {
        case .openFeed(let listing, _), .scroll(let listing, _), .switchTab(let listing): listing.name
        case .showPosts(let shown): shown.list?.name ?? "posts without a list"
        case .openPost: "opened posts"
        case .relaunch: nil
        }
    }
}
