// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Imaging
import LocalFirebase
import Metering
import Refactorings
import SessionLog
import TestSupport
import Testing
import TinyFeed

import struct FeedDataSet.SeedVariant

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// The code of the documentation's articles, run against a served feed.
@Suite(.timeLimit(.minutes(5))) struct RefactoringTests {
    private let directory: TinyFeed

    init() throws { directory = try TinyFeed() }

    private func withFeed(
        _ configuration: EmulatorConfiguration? = nil,
        _ body: @escaping @Sendable (FeedEndpoint, UsageMeter) async throws -> Void
    ) async throws {
        try await Emulator(configuration ?? directory.configuration).run { addresses in
            let endpoint = FeedEndpoint(
                firestore: try #require(URL(string: "http://\(addresses.firestore)")),
                storage: try #require(URL(string: "http://\(addresses.storage)")),
                project: TinyFeed.address.project,
                bucket: TinyFeed.address.bucket
            )
            try await body(endpoint, UsageMeter(console: addresses.console.description))
        }
    }

    private func folder(_ name: String) -> URL { URL(fileURLWithPath: directory.directory.file(name)) }

    @Test func `thumbnails and caches download less for the same screens`() async throws {
        let caches = folder("caches")
        try await withFeed { endpoint, meter in
            let transport = URLSessionTransport()
            let repository = FeedRepository(endpoint: endpoint, transport: transport)
            let before = EveryImageFeed(repository: repository, storage: endpoint.storage, transport: transport)
            let every = try await meter.usage {
                let images = try await before.open() + before.open()
                #expect(images.count == 12)
            }

            let after = try ThumbnailFeed(endpoint: endpoint, cachesDirectory: caches, transport: transport)
            let posts = Locked<[FeedPost]>([])
            let thumbnails = try await meter.usage {
                for _ in 0..<2 { try await after.open { post, _ in posts.withLock { $0.append(post) } } }
            }
            #expect(Set(posts.withLock { $0 }.map(\.id)) == ["p1", "p2", "p3"])
            #expect(every.requests == 14 && thumbnails.requests == 5)
            #expect(thumbnails.bytes.bodySent * 3 < every.bytes.bodySent)

            let post = try #require(posts.withLock { $0 }.first { $0.images.count == 3 })
            let opened = try await meter.usage { for _ in 0..<2 { await after.open(post) { _ in } } }
            #expect(opened.requests == 2)
        }
    }

    @Test(arguments: [
        (ThumbnailForm.whole, 1), (.resized(ResizedVariant(pixelWidth: 40, pixelHeight: 80)), 20),
        (.prefix(byteCount: 20_000), 2),
    ])
    func `lists of copies or prefixes download less, and an opened post shows whole images`(
        form: ThumbnailForm,
        times: Int
    ) async throws {
        var configuration = directory.configuration
        configuration.seedVariants = [SeedVariant(pixelWidth: 40, pixelHeight: 80)]
        try await withFeed(configuration) { endpoint, meter in
            let transport = URLSessionTransport()
            let posts = try await FeedRepository(endpoint: endpoint, transport: transport)
                .page(sort: .popular, number: 0, size: 8).posts
            let pipeline = try ImagePipeline(storage: endpoint.storage, transport: transport)
            let feed = LightFeed(bucket: endpoint.bucket, pipeline: pipeline, form: form)
            let listed = try await meter.usage {
                for _ in 0..<2 { #expect(await feed.list(posts).count == 3) }
            }
            let whole = posts.compactMap { $0.images.first?.byteCount }.reduce(0, +)
            #expect(listed.requests == 3 && listed.bytes.bodySent * times <= whole)
            for post in posts {
                let sizes = await feed.open(post).map(\.count)
                #expect(sizes.sorted() == post.images.compactMap(\.byteCount).sorted())
            }
        }
    }

    @Test func `the rest is withheld when the day's quota runs short, as the emulator tells it`() async throws {
        let profile = """
            {"schema": "firemeter.profile/1", "name": "tiny", "title": "A tiny plan", "asOf": "2026-11-22",
             "resetZone": "America/Los_Angeles", "overQuota": "billed", "charges": [{
               "item": "storage.egressBytes", "free": {"amount": "200 KB", "per": "day"},
               "prices": [{"usd": 1, "per": "1 GB"}],
               "asOf": "2026-11-22", "certainty": "unverified", "source": "a test"}]}
            """
        var configuration = directory.configuration
        configuration.profile = try PriceProfile(reading: Array(profile.utf8))
        try await withFeed(configuration) { endpoint, meter in
            let console = try #require(URL(string: "http://\(meter.console)"))
            let used = UsedQuota()
            let pipeline = try guardedPipeline(endpoint.storage, used)
            let repository = FeedRepository(endpoint: endpoint, transport: URLSessionTransport())
            let posts = try await repository.page(sort: .popular, number: 0, size: 8).posts
            for post in posts {
                for thumbnail in post.references(to: .thumbnail, in: endpoint.bucket) {
                    _ = try await pipeline.image(for: thumbnail)
                }
            }
            try await readQuota(console, into: used)
            #expect((0.7..<1).contains(used.share))
            let rest = posts.flatMap { $0.references(to: .rest, in: endpoint.bucket) }
            for await delivery in await pipeline.images(for: rest) {
                let error = #expect(throws: FeedError.self) { try delivery.result.get() }
                #expect(error?.code == .withheld)
            }
        }
    }

    @Test func `the ledger's causes sum to what the meter saw`() async throws {
        try await withFeed { endpoint, meter in
            let transport = URLSessionTransport()
            let pipeline = try ImagePipeline(storage: endpoint.storage, transport: transport)
            let ledger = pipeline.ledger
            let repository = FeedRepository(endpoint: endpoint, transport: transport, ledger: ledger)
            let usage = try await meter.usage {
                let posts = try await repository.page(sort: .latest, number: 0, size: 8).posts
                let references = posts.flatMap { $0.references(to: .full, in: endpoint.bucket) }
                await ImagePrefetcher(pipeline: pipeline, byteCountMax: 1 << 30).prefetch(Array(references.prefix(3)))
                for await _ in await pipeline.images(for: Array(references.dropFirst())) {}
                // Forgotten and loaded again; asked whether it has changed; and one that is not there.
                await pipeline.removeMemory()
                _ = try await pipeline.image(for: references[5])
                let unversioned = ImageReference(references[4].location)
                for _ in 0..<2 { _ = try await pipeline.image(for: unversioned) }
                let gone = ImageReference(bucket: endpoint.bucket, owner: "nobody", feed: "none", index: 0)
                await #expect(throws: FeedError.self) { try await pipeline.image(for: gone) }
            }
            let totals = ledger.totals
            #expect(ledger.total == usage.bytes.bodySent)
            for cause in [ByteCause.documents, .first, .again, .prefetchedUnused, .failed] {
                #expect(totals[cause, default: 0] > 0, "\(cause)")
            }
        }
    }

    @Test func `posters are the same together as one by one`() async throws {
        try await withFeed { endpoint, _ in
            let transport = URLSessionTransport()
            let repository = FeedRepository(endpoint: endpoint, transport: transport)
            let pipeline = try ImagePipeline(storage: endpoint.storage, transport: transport)
            let posts = try await repository.page(sort: .popular, number: 0, size: 8).posts
            let references = posts.flatMap { $0.references(to: .full, in: endpoint.bucket) }
            let oneByOne = try await postersOneByOne(references, pipeline)
            let together = try await postersTogether(references, pipeline)
            #expect(together.map(\.reference) == references)
            #expect(together.compactMap(\.backgroundColor) == oneByOne)
            let (published, publishes) = AsyncStream.makeStream(of: [Poster].self)
            let subscription = publishPosters(references, pipeline) { publishes.yield($0) }
            for await posters in published {
                #expect(posters == together)
                break
            }
            subscription.cancel()
        }
    }

    private final class RecordingPosterScreen: PosterScreen {
        let shown = Locked<[RGBColor]>([])
        let skipped = Locked<[ImageReference]>([])
        func show(_ poster: Poster, over background: RGBColor) { shown.withLock { $0.append(background) } }
        func skip(_ reference: ImageReference, because error: FeedError) { skipped.withLock { $0.append(reference) } }
    }

    @Test func `posters without a color are shown over the neutral one, and missing images skipped`() async throws {
        try await withFeed { endpoint, _ in
            let pipeline = try ImagePipeline(storage: endpoint.storage, transport: URLSessionTransport())
            let (broken, missing) = (
                ImageReference(bucket: endpoint.bucket, owner: "u", feed: "broken", index: 0, generation: 1),
                ImageReference(bucket: endpoint.bucket, owner: "u", feed: "gone", index: 0)
            )
            await pipeline.store(Data("not an image".utf8), for: broken)
            let screen = RecordingPosterScreen()
            let neutral = RGBColor(red: 240, green: 240, blue: 240)
            try await showPosters([broken, missing], pipeline, neutral: neutral, on: screen)
            #expect(screen.shown.withLock { $0 } == [neutral])
            #expect(screen.skipped.withLock { $0 } == [missing])
        }
    }

    private actor RecordingScreen: Screen {
        var events: [String] = []
        func place(_ cells: [FeedCell<FeedPost>]) { events.append("placed \(cells.count)") }
        func show(_ data: Data, in cell: FeedCellID) { events.append("\(cell.section) \(cell.post)") }
        func showPlaceholder(in cell: FeedCellID) { events.append("placeholder") }
    }

    @Test func `a screen is placed before its images are shown`() async throws {
        try await withFeed { endpoint, _ in
            let transport = URLSessionTransport()
            let loader = TwoSectionScreen(
                repository: FeedRepository(endpoint: endpoint, transport: transport),
                pipeline: try ImagePipeline(storage: endpoint.storage, transport: transport)
            )
            let screen = RecordingScreen()
            let mine = FeedFilter(field: "userID", equals: .string("u1"))
            try await loader.load(filter: mine, width: 390, screen)
            let events = await screen.events
            #expect(events.first == "placed 5")
            #expect(Set(events.dropFirst()) == ["0 p1", "0 p3", "1 p1", "1 p2", "1 p3"])
        }
    }

    @Test func `notes come with their pictures, or the placeholder`() async throws {
        let picture = Data(
            try PNGEncoder.encode(PixelBuffer(width: 1, height: 1, bytes: [1, 2, 3]))
        )
        let notebook = Notebook(
            files: try ImageFileStore(directory: folder("notes")),
            placeholder: Data("none".utf8)
        )
        let notes = [try await notebook.save("kept", picture), Note(text: "lost", imageID: UUID())]
        #expect(try await notebook.illustrated(notes).map(\.image) == [picture, notebook.placeholder])
        let (shown, shows) = AsyncStream.makeStream(of: Data.self)
        let subscription = notebook.picture(try #require(notes[1].imageID)) { shows.yield($0) }
        for await data in shown {
            #expect(data == notebook.placeholder)
            break
        }
        subscription.cancel()
    }

    @Test @MainActor func `one missing picture ended all`() throws {
        let before = MainThreadNotebook(directory: URL(fileURLWithPath: directory.directory.path))
        let kept = try before.save("kept", Data("picture".utf8))
        #expect(try before.pictures(of: [kept]) == [Data("picture".utf8)])
        #expect(throws: (any Error).self) { try before.pictures(of: [kept, Note(text: "lost", imageID: UUID())]) }
    }

    private struct PlainTitle: PlainConfiguring {
        var text = ""
        mutating func configure(with info: PostInfo) { text = info.post.title }
    }

    private static func post(_ id: String, imageCount: Int) -> FeedPost {
        FeedPost(
            id: id,
            ownerID: "u",
            feedID: id,
            title: "Post \(id)",
            likes: 0,
            createdAt: .distantPast,
            images: (0..<imageCount).map { FeedImage(index: $0, pixelWidth: 4, pixelHeight: 3) }
        )
    }

    @Test func `cells of any kind are configured alike`() throws {
        let posts = [Self.post("a", imageCount: 3), Self.post("b", imageCount: 3), Self.post("c", imageCount: 0)]
        let size = CGSize(width: 100, height: 100)
        let (changing, three, title) = (ChangingCell(size: size), ThreeThumbnailsCell(size: size), TitleCell())
        configure([changing, three, title], with: Array(repeating: posts[1], count: 3), in: "b")
        #expect(title.text == "Post b")
        for cell in [changing, three] {
            #expect(cell.thumbnails.map(\.frame) == ThumbnailCount.three.frames(in: size, spacing: 4))
            #expect(cell.thumbnails.map(\.reference) == posts[1].references(to: .full, in: "b"))
        }
        configure([changing, three, title], with: Array(repeating: posts[2], count: 3), in: "b")
        #expect(title.text.isEmpty && changing.thumbnails.isEmpty)
        #expect(three.thumbnails.count == 3 && three.thumbnails.allSatisfy { $0.reference == nil })
        var titles = [PlainTitle(), PlainTitle()]
        configure(&titles, with: posts, in: "b")
        #expect(titles.map(\.text) == ["Post a", "Post b"])
    }

    @Test func `a grid has the cell of each post's count, and dividers between them`() {
        let posts = [1, 2, 3, 4, 5, 12, 0].map { Self.post("p\($0)", imageCount: $0) }
        let grid = makeGrid(of: posts, in: "b", columnCount: 2, makeFactory(size: CGSize(width: 100, height: 100)))
        let types = grid.map { ObjectIdentifier(type(of: $0)) }
        let expected: [Cell.Type] = [
            OneThumbnailCell.self, TwoThumbnailsCell.self, ThreeThumbnailsCell.self, FourThumbnailsCell.self,
            FiveThumbnailsCell.self, FiveThumbnailsCell.self, OneThumbnailCell.self,
        ]
        #expect(types == expected.map { ObjectIdentifier($0) })
        #expect(grid.map { $0.thumbnails.compactMap(\.reference).count } == [1, 2, 3, 4, 5, 5, 0])
        #expect(grid.map(\.dividers.isEmpty) == [false, false, false, false, false, true, true])
    }
}
