// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

extension FeedSession {
    func openFeed(_ listing: SessionView.Listing, page: Int) async throws -> FeedScreen {
        recorder?.record(.openFeed(listing, page: page))
        return try await show(page, of: makeList(listing), listing: listing)
    }

    func switchTab(to listing: SessionView.Listing) async throws -> FeedScreen {
        recorder?.record(.switchTab(listing))
        return try await show(0, of: makeList(listing), listing: listing)
    }

    func scroll(_ listing: SessionView.Listing, to page: Int) async throws -> FeedScreen {
        guard let list = lists[listing] else { throw FeedError.feedNotOpen("scroll on \(listing.name)") }
        recorder?.record(.scroll(listing, page: page))
        return try await show(page, of: list, listing: listing)
    }

    private func show(_ number: Int, of list: FeedList, listing: SessionView.Listing) async throws -> FeedScreen {
        let page = try await repository.page(
            listing,
            number: number,
            size: listing.pageSize ?? pageSize,
            after: list.cursor(before: number)
        )
        // The list may have been replaced while we awaited.
        guard lists[listing]?.id == list.id else { throw FeedError.superseded(listing.name, page: number) }
        lists[listing]?.add(page)
        var screen = try await show(page.posts)
        screen.skipped = page.skipped
        return screen
    }

    func show(_ listed: [FeedPost]) async throws -> FeedScreen {
        for post in listed { posts[post.id] = post }
        return try await load(mode.listed, of: listed)
    }

    func load(_ set: ImageSet, of posts: [FeedPost]) async throws -> FeedScreen {
        var screen = FeedScreen(posts: posts)
        let wanted = posts.flatMap { post in post.images(in: set).map { (post: post, image: $0) } }
        let references = posts.flatMap {
            $0.references(
                to: set,
                in: repository.endpoint.bucket,
                thumbnails: mode == .allImages ? .whole : thumbnails
            )
        }
        .map(loading.reference)
        try await loading.prepare(references)
        for await delivery in await pipeline.images(for: references) {
            let (post, image) = wanted[delivery.index]
            screen.add(delivery.result)
            await onImage(LoadedImage(post: post, image: image, result: delivery.result, origin: delivery.origin))
        }
        try Task.checkCancellation()
        return screen
    }
}

extension FeedScreen {
    fileprivate mutating func add(_ result: Result<some Collection, FeedError>) {
        switch result {
        case .success(let data):
            imageCount += 1
            byteCount += data.count
        case .failure: failedImageCount += 1
        }
    }
}
