// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct FeedSessionTests {
    private let directory = TemporaryDirectory()
    private let documents = CountingTransport(FakeFeed())
    private let images = CountingTransport(FakeFeed())

    private func makeSession(
        _ mode: FeedMode,
        thumbnails: ThumbnailForm = .whole,
        _ configuration: ImagePipeline.Configuration = .init(memory: nil),
        over imageTransport: (any HTTPTransport)? = nil,
        recorder: ViewRecorder? = nil,
        onImage: @escaping FeedSession.ImageHandler = { _ in }
    ) throws -> FeedSession {
        FeedSession(
            repository: FeedRepository(endpoint: FakeFeed.endpoint, transport: documents),
            pipeline: try ImagePipeline(
                storage: FakeFeed.endpoint.storage,
                transport: imageTransport ?? images,
                configuration: configuration
            ),
            mode: mode,
            pageSize: 2,
            thumbnails: thumbnails,
            recorder: recorder,
            onImage: onImage
        )
    }

    /// Shows p0 p1, p2 p3, post p2, p5 p4, p0 p1, and after a relaunch p0 p1 again.
    private func walk(_ session: FeedSession) async throws {
        try await session.openFeed(.popular)
        try await session.scroll(to: 1)
        try await session.openPost(owner: "u2", id: "p2")
        try await session.switchTab(to: .latest)
        try await session.switchTab(to: .popular)
        await session.relaunch()
        try await session.openFeed(.popular)
    }

    struct Cache: Sendable {
        var memoryByteCountMax: Int?
        var diskByteCountMax: Int?
    }

    // Every post has 10 + 100 + 100 bytes.
    @Test(
        arguments: [
            (FeedMode.allImages, Cache(), 30, 2_100), (.allImages, Cache(memoryByteCountMax: 10_000), 24, 1_680),
            (.allImages, Cache(memoryByteCountMax: 840), 30, 2_100),
            (.allImages, Cache(memoryByteCountMax: 1_260), 24, 1_680),
            (.allImages, Cache(diskByteCountMax: 10_000), 18, 1_260),
            (.allImages, Cache(memoryByteCountMax: 10_000, diskByteCountMax: 10_000), 18, 1_260),
            (.thumbnails, Cache(), 12, 300), (.thumbnails, Cache(memoryByteCountMax: 10_000), 10, 280),
            (.thumbnails, Cache(diskByteCountMax: 10_000), 8, 260),
            (.thumbnails, Cache(memoryByteCountMax: 10_000, diskByteCountMax: 10_000), 8, 260),
            // The two other images of p2 push everything else out, but are refused where they cannot fit.
            (.thumbnails, Cache(memoryByteCountMax: 200), 12, 300),
            (.thumbnails, Cache(memoryByteCountMax: 99), 10, 280),
        ]
    )
    func `loads so many images in a small session`(
        mode: FeedMode,
        cache: Cache,
        requests: Int,
        byteCount: Int
    ) async throws {
        let disk = cache.diskByteCountMax.map {
            ImagePipeline.Configuration.Disk(directory: directory.url, byteCountMax: $0)
        }
        let session = try makeSession(
            mode,
            .init(memory: cache.memoryByteCountMax.map { .init(byteCountMax: $0) }, disk: disk)
        )
        try await walk(session)
        #expect(images.counts.requests == requests)
        #expect(images.counts.responseBodyBytes == byteCount)
        #expect(documents.counts.requests == 5)
    }

    @Test(arguments: [(FeedMode.allImages, 6, 0), (.thumbnails, 2, 2)])
    func `shows posts and images`(mode: FeedMode, listed: Int, opened: Int) async throws {
        let session = try makeSession(mode)
        let list = try await session.openFeed(.latest, page: 1)
        #expect(list.posts.map(\.id) == ["p3", "p2"])
        #expect(list.imageCount == listed)
        let post = try await session.openPost(owner: "u3", id: "p3")
        #expect(post.posts.map(\.id) == ["p3"])
        #expect(post.imageCount == opened)
        #expect(post.byteCount == 100 * opened)
    }

    @Test(arguments: [(FeedMode.allImages, 6, 420, 0), (.thumbnails, 2, 8, 3)])
    func `a list may show smaller copies, which an opened post does not`(
        mode: FeedMode,
        listed: Int,
        byteCount: Int,
        opened: Int
    ) async throws {
        let session = try makeSession(mode, thumbnails: .resized(ResizedVariant(pixelWidth: 20, pixelHeight: 20)))
        let list = try await session.openFeed(.popular)
        #expect((list.imageCount, list.byteCount) == (listed, byteCount))
        #expect(try await session.openPost(owner: "u1", id: "p1").imageCount == opened)
    }

    @Test func `hands over every image with its post`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let session = try makeSession(.thumbnails) { loaded in
            continuation.yield("\(loaded.post.id)/\(loaded.image.index) \((try? loaded.result.get())?.count ?? -1)")
        }
        try await session.openFeed(.popular)
        try await session.openPost(owner: "u1", id: "p1")
        continuation.finish()
        var names: [String] = []
        for await name in stream { names.append(name) }
        #expect(names.sorted() == ["p0/0 10", "p1/0 10", "p1/1 100", "p1/2 100"])
    }

    @Test func `counts images that fail and goes on`() async throws {
        let session = try makeSession(.allImages, over: FakeFeed(missing: ["u0/p0/1", "u1/p1/0"]))
        let screen = try await session.openFeed(.popular)
        #expect(screen.imageCount == 4)
        #expect(screen.failedImageCount == 2)
        #expect(screen.byteCount == 310)
    }

    @Test(arguments: [("u0", "p5"), ("u1", "p0"), ("u0", "nope")])
    func `opens only posts of loaded pages`(owner: String, id: String) async throws {
        let session = try makeSession(.thumbnails)
        try await session.openFeed(.popular)
        let error = await #expect(throws: FeedError.self) { try await session.openPost(owner: owner, id: id) }
        #expect(error?.code == .postNotLoaded)
    }

    @Test func `opens posts of the other tab's pages`() async throws {
        let session = try makeSession(.thumbnails)
        try await session.openFeed(.popular)
        try await session.switchTab(to: .latest)
        #expect(try await session.openPost(owner: "u0", id: "p0").imageCount == 2)
        await session.relaunch()
        await #expect(throws: FeedError.self) { try await session.openPost(owner: "u0", id: "p0") }
    }

    @Test func `scrolls only a feed that is open`() async throws {
        let session = try makeSession(.thumbnails)
        let error = await #expect(throws: FeedError.self) { try await session.scroll(to: 1) }
        #expect(error?.code == .feedNotOpen)
        try await session.openFeed(.popular)
        await #expect(throws: FeedError.self) { try await session.perform(.scroll(.latest, page: 1)) }
        #expect(documents.counts.requests == 1)
    }

    @Test func `lists that were opened are scrolled in turns, each from its cursor`() async throws {
        let session = try makeSession(.thumbnails)
        let mine = SessionView.Listing(
            sort: .popular,
            filter: .init(field: "userID", equals: .string("u1")),
            pageSize: 1
        )
        for action in [
            SessionView.Action.openFeed(mine, page: 0), .openFeed(.popular, page: 0), .scroll(mine, page: 1),
            .scroll(SessionView.Listing(sort: .popular, pageSize: 2), page: 1),
        ] {
            try await session.perform(action)
        }
        let error = await #expect(throws: FeedError.self) {
            try await session.perform(.scroll(SessionView.Listing(sort: .popular, filter: mine.filter), page: 1))
        }
        #expect(error?.message.hasPrefix("scroll on popular where userID is u1: no such list is open;") == true)
        // A post of a list that was replaced can still be opened.
        try await session.openFeed(.popular, page: 2)
        #expect(try await session.openPost(owner: "u3", id: "p3").imageCount == 2)
    }

    @Test func `drops a page that comes after the tab was shown anew`() async throws {
        let gate = GatedTransport(FakeFeed())
        let session = FeedSession(
            repository: FeedRepository(endpoint: FakeFeed.endpoint, transport: gate),
            pipeline: try ImagePipeline(storage: FakeFeed.endpoint.storage, transport: images),
            mode: .thumbnails,
            pageSize: 2
        )
        let first = Task { try await session.openFeed(.popular) }
        try await gate.wait { $0.held == 1 }
        let second = Task { try await session.openFeed(.popular, page: 1) }
        try await gate.wait { $0.held == 2 }
        await gate.release(0)
        let error = await #expect(throws: FeedError.self) { try await first.value }
        #expect(error?.code == .superseded)
        #expect(images.counts.requests == 0)
        await gate.release(0)
        #expect(try await second.value.posts.map(\.id) == ["p2", "p3"])
    }
}
