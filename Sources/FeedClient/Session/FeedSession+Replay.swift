// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import SessionLog

extension FeedSession {
    /// Takes a recorded step again.
    ///
    /// Throws ``FeedError/Code/feedNotOpen`` for a scroll on a list that was not opened since the last launch. Lists of one
    /// screen may be scrolled in turn. Of a list that was opened a second time only the later showing continues from its
    /// cursors; a page of the earlier is read by an offset.
    @discardableResult
    package func perform(_ action: SessionView.Action) async throws -> FeedScreen {
        switch action {
        case .openFeed(let listing, let page): return try await openFeed(whole(listing), page: page)
        case .scroll(let listing, let page): return try await scroll(whole(listing), to: page)
        case .switchTab(let listing): return try await switchTab(to: whole(listing))
        case .openPost(_, let post) where loading.shownPosts != nil && posts[post] == nil:
            // Of a post without images nothing was shown.
            return FeedScreen(posts: [])
        case .openPost(let owner, let post): return try await openPost(owner: owner, id: post)
        case .relaunch:
            await relaunch()
            return FeedScreen(posts: [])
        case .showPosts(let shown):
            guard let shownPosts = loading.shownPosts else { throw FeedError.feedNotOpen("posts of an unknown list") }
            return try await show(shownPosts(shown.posts))
        }
    }

    /// The list with its page size, which a log has only if it is not the session's.
    private func whole(_ listing: SessionView.Listing) -> SessionView.Listing {
        var listing = listing
        listing.pageSize = listing.pageSize ?? pageSize
        return listing
    }
}
