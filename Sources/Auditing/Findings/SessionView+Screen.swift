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
        case .showPosts(let shown): shown.place.page
        case .openPost: CauseTally.Place.openedPost.page
        case .relaunch: kind.rawValue
        }
    }

    /// The screen, or the tab of one, that the step shows, whatever its page: `popular`, or a recorded list's name; `nil` where
    /// it shows none.
    var screen: String? {
        switch self {
        case .openFeed(let listing, _), .scroll(let listing, _), .switchTab(let listing): listing.name
        case .showPosts(let shown): shown.place.screen
        case .openPost: CauseTally.Place.openedPost.screen
        case .relaunch: nil
        }
    }
}

extension SessionView.ShownPosts {
    fileprivate var place: CauseTally.Place { list.map { .list($0.name, page: $0.page) } ?? .withoutList }
}

extension CauseTally.Place {
    fileprivate static let openedPost = Self(page: SessionView.Kind.openPost.rawValue, screen: "opened posts")
    fileprivate static let withoutList = Self(
        page: SessionView.Kind.showPosts.rawValue,
        screen: "posts without a list"
    )

    fileprivate static func list(_ name: String, page: Int) -> Self {
        Self(page: "\(name), page \(page)", screen: name)
    }

    /// The place of recorded downloads.
    init(_ place: SessionDownloads.Place) {
        switch place {
        case .list(let name, let page): self = .list(name, page: page)
        case .withoutList: self = .withoutList
        case .openedPost: self = .openedPost
        }
    }
}
