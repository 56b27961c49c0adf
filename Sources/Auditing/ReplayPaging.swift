// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// How a strategy pages through lists, and when.
///
/// With another page size than the recorded one a user who saw a number of posts loads as many pages as hold them.
struct ReplayPaging: Sendable {
    /// How far a user has loaded each list.
    struct User: Sendable {
        fileprivate var loadedPageCounts: [SessionView.Listing: Int] = [:]
    }

    /// The posts of a page when the log does not say.
    static let pageSizeDefault = 8

    /// The posts of a page.
    let pageSize: Int
    private let start: Int64
    private let recordedPageSize: Int

    init(_ header: SessionHeader, strategy: Strategy) {
        start = header.createdAt.microseconds
        recordedPageSize = header.pageSize ?? Self.pageSizeDefault
        pageSize = strategy.pageSize ?? recordedPageSize
    }

    /// When a view was shown, in microseconds since 1970.
    func time(of view: SessionView) -> Int64 { start + 1_000 * view.atMilliseconds }

    /// Hands out the steps that a user's next view takes.
    func add(_ view: SessionView, to user: inout User, _ take: (SessionView) -> Void) {
        guard pageSize != recordedPageSize else { return take(view) }
        func append(_ action: SessionView.Action) {
            take(SessionView(atMilliseconds: view.atMilliseconds, client: view.client, action: action))
        }
        switch view.action {
        case .openFeed(let listing, let page) where listing.pageSize == nil:
            let first = page * recordedPageSize / pageSize
            user.loadedPageCounts[listing] = first + 1
            append(.openFeed(listing, page: first))
            scroll(listing, throughPage: page, of: &user, append)
        case .switchTab(let listing) where listing.pageSize == nil:
            user.loadedPageCounts[listing] = 1
            append(.switchTab(listing))
            scroll(listing, throughPage: 0, of: &user, append)
        case .scroll(let listing, let page) where listing.pageSize == nil:
            scroll(listing, throughPage: page, of: &user, append)
        case .relaunch:
            user = User()
            take(view)
        case .openFeed, .switchTab, .scroll, .openPost, .showPosts: take(view)
        }
    }

    /// Loads what is missing of the posts through a recorded page.
    private func scroll(
        _ listing: SessionView.Listing,
        throughPage page: Int,
        of user: inout User,
        _ append: (SessionView.Action) -> Void
    ) {
        let wanted = ((page + 1) * recordedPageSize + pageSize - 1) / pageSize
        let loaded = user.loadedPageCounts[listing] ?? 0
        guard wanted > loaded else { return }
        for page in loaded..<wanted { append(.scroll(listing, page: page)) }
        user.loadedPageCounts[listing] = wanted
    }
}
