// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The steps that a strategy takes for a log's views.
///
/// With another page size than the recorded one a user who saw a number of posts loads as many pages as hold them.
struct ReplayPlan: Sendable {
    /// A step, and the number of the view in the log that it is taken for.
    struct Step: Sendable {
        let number: Int
        let view: SessionView
    }

    /// The posts of a page when the log does not say.
    static let pageSizeDefault = 8

    /// The posts of a page.
    let pageSize: Int
    private(set) var steps: [Step] = []
    private let start: Int64
    private let recordedPageSize: Int
    /// How far each user has loaded each list.
    private var loadedPageCounts: [ListOfUser: Int] = [:]

    private struct ListOfUser: Hashable {
        let client: String
        let listing: SessionView.Listing
    }

    init(_ log: SessionLog, strategy: Strategy) {
        start = log.header.createdAt.microseconds
        recordedPageSize = log.header.pageSize ?? Self.pageSizeDefault
        pageSize = strategy.pageSize ?? recordedPageSize
        for (index, view) in log.views.enumerated() { add(view, number: index + 1) }
    }

    /// When a view was shown, in microseconds since 1970.
    func time(of view: SessionView) -> Int64 { start + 1_000 * view.atMilliseconds }

    private mutating func add(_ view: SessionView, number: Int) {
        guard pageSize != recordedPageSize else { return steps.append(Step(number: number, view: view)) }
        switch view.action {
        case .openFeed(let listing, let page) where listing.pageSize == nil:
            let first = page * recordedPageSize / pageSize
            loadedPageCounts[ListOfUser(client: view.client, listing: listing)] = first + 1
            append(.openFeed(listing, page: first), as: view, number: number)
            scroll(listing, throughPage: page, as: view, number: number)
        case .switchTab(let listing) where listing.pageSize == nil:
            loadedPageCounts[ListOfUser(client: view.client, listing: listing)] = 1
            append(.switchTab(listing), as: view, number: number)
            scroll(listing, throughPage: 0, as: view, number: number)
        case .scroll(let listing, let page) where listing.pageSize == nil:
            scroll(listing, throughPage: page, as: view, number: number)
        case .relaunch:
            loadedPageCounts = loadedPageCounts.filter { $0.key.client != view.client }
            steps.append(Step(number: number, view: view))
        case .openFeed, .switchTab, .scroll, .openPost, .showPosts: steps.append(Step(number: number, view: view))
        }
    }

    /// Loads what is missing of the posts through a recorded page.
    private mutating func scroll(
        _ listing: SessionView.Listing,
        throughPage page: Int,
        as view: SessionView,
        number: Int
    ) {
        let list = ListOfUser(client: view.client, listing: listing)
        let wanted = ((page + 1) * recordedPageSize + pageSize - 1) / pageSize
        let loaded = loadedPageCounts[list] ?? 0
        guard wanted > loaded else { return }
        for page in loaded..<wanted { append(.scroll(listing, page: page), as: view, number: number) }
        loadedPageCounts[list] = wanted
    }

    private mutating func append(_ action: SessionView.Action, as view: SessionView, number: Int) {
        let view = SessionView(atMilliseconds: view.atMilliseconds, client: view.client, action: action)
        steps.append(Step(number: number, view: view))
    }
}
