// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension FeedSession {
    func showAnew(_ sort: FeedSort, page: Int) async throws -> FeedScreen {
        let list = makeList()
        lists[sort] = list
        shownSort = sort
        return try await show(page, of: list, sort: sort)
    }

    func show(_ number: Int, of list: FeedList, sort: FeedSort) async throws -> FeedScreen {
        let cursor = list.cursor(before: number)
        let page = try await repository.page(sort: sort, number: number, size: pageSize, after: cursor)
        // The list may have been replaced while we awaited.
        guard lists[sort]?.id == list.id else { throw FeedError.superseded(sort, page: number) }
        lists[sort]?.add(page)
        return try await load(page.posts.flatMap(listImages), on: FeedScreen(posts: page.posts))
    }

    private func listImages(of post: FeedPost) -> [(post: FeedPost, image: FeedImage)] {
        let images = mode == .allImages ? post.images[...] : post.images.prefix(1)
        return images.map { (post, $0) }
    }

    func load(_ wanted: [(post: FeedPost, image: FeedImage)], on screen: FeedScreen) async throws -> FeedScreen {
        var screen = screen
        let bucket = repository.endpoint.bucket
        let references = wanted.map { $0.post.reference(to: $0.image, in: bucket) }
        for await delivery in await pipeline.images(for: references) {
            let (post, image) = wanted[delivery.index]
            screen.add(delivery.result)
            await onImage(LoadedImage(post: post, image: image, result: delivery.result))
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
