// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import SessionLog

extension FeedSession {
    /// Takes a recorded step again.
    ///
    /// Throws ``FeedError/Code/feedNotOpen`` for a scroll on a tab that is not shown.
    @discardableResult
    package func perform(_ action: SessionView.Action) async throws -> FeedScreen {
        switch action {
        case .openFeed(let sort, let page): return try await openFeed(FeedSort(sort), page: page)
        case .scroll(let sort, let page):
            guard shownSort == FeedSort(sort) else { throw FeedError.feedNotOpen("scroll on \(sort.rawValue)") }
            return try await scroll(to: page)
        case .switchTab(let sort): return try await switchTab(to: FeedSort(sort))
        case .openPost(let owner, let post): return try await openPost(owner: owner, id: post)
        case .relaunch:
            await relaunch()
            return FeedScreen(posts: [])
        }
    }
}

extension FeedSort {
    init(_ sort: SessionView.Sort) {
        switch sort {
        case .popular: self = .popular
        case .latest: self = .latest
        }
    }

    var logged: SessionView.Sort {
        switch self {
        case .popular: .popular
        case .latest: .latest
        }
    }
}
