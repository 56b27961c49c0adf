// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog
import TestSupport
import Testing

/// Posts of twelve images, on every way to a screen: image 10 comes after image 2, as in the document, and not before it,
/// as in the alphabet.
@Suite(.timeLimit(.minutes(5))) struct ImageOrderTests {
    /// Posts of twelve images, each of which is its own name.
    private struct NamedImages: HTTPTransport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard request.method == "GET" else { return try await FakeFeed(imageCount: 12).send(request) }
            return TransportResponse(status: 200, body: Data(request.url.lastPathComponent.utf8))
        }
    }

    private static let bucket = FakeFeed.endpoint.bucket
    private static let names = (0..<12).map { "u0/p0/\($0)" }
    private let repository = FeedRepository(endpoint: FakeFeed.endpoint, transport: NamedImages())

    private func post() async throws -> FeedPost {
        let page = try await repository.page(sort: .popular, number: 0, size: 1)
        return try #require(page.posts.first)
    }

    private func makePipeline() throws -> ImagePipeline {
        try ImagePipeline(storage: FakeFeed.endpoint.storage, transport: NamedImages())
    }

    @Test(
        arguments: [
            ThumbnailForm.whole, .resized(ResizedVariant(pixelWidth: 20, pixelHeight: 20)), .prefix(byteCount: 4),
        ]
    )
    func `documents, references and cells have the images by their index`(form: ThumbnailForm) async throws {
        let post = try await post()
        #expect(post.images.map(\.index) == Array(0..<12))
        let locations = Self.names.map { ImageReference.Location.object(bucket: Self.bucket, name: $0) }
        func found(_ set: ImageSet) -> [ImageReference.Location] {
            post.references(to: set, in: Self.bucket, thumbnails: form).map(\.location)
        }
        #expect(found(.full) == locations)
        #expect(found(.rest) == Array(locations[1...]))
        #expect(PostInfo(post, in: Self.bucket)?.thumbnails.map(\.location) == Array(locations[..<5]))
    }

    @Test func `batches and posters are in the order in which they are asked for`() async throws {
        let references = try await post().references(to: .full, in: Self.bucket)
        let images = try await makePipeline().images(for: references).results().map { try $0.get() }
        #expect(images == Self.names.map { Data($0.utf8) })
        #expect(try await makePipeline().posters(for: references).map(\.data) == images)
    }

    @Test(arguments: [FeedMode.allImages, .thumbnails])
    func `a session shows each image at its place`(mode: FeedMode) async throws {
        let shown = Locked([Data](repeating: Data(), count: 12))
        let pipeline = try makePipeline()
        let session = FeedSession(repository: repository, pipeline: pipeline, mode: mode, pageSize: 1) { loaded in
            guard let data = try? loaded.result.get() else { return }
            shown.withLock { $0[loaded.image.index] = data }
        }
        try await session.openFeed(.popular)
        try await session.openPost(owner: "u0", id: "p0")
        #expect(shown.withLock { $0 } == Self.names.map { Data($0.utf8) })
    }

    @Test func `a screen shows image 0 of each post in its cell`() async throws {
        let updates = FeedUpdates(
            source: repository,
            pipeline: try makePipeline(),
            appearance: .init(layout: WaterfallLayout(width: 208))
        )
        let section = FeedSection(name: "all", sort: .latest)
        var shown: [String: Data] = [:]
        for try await case .image(let cell, let data, _) in updates.updates(for: [section]) {
            shown[cell.post] = data
        }
        #expect(shown == Dictionary(uniqueKeysWithValues: (0..<6).map { ("p\($0)", Data("u\($0)/p\($0)/0".utf8)) }))
    }

    @Test func `records keep their order, whatever their images' ids`() async throws {
        let directory = TemporaryDirectory()
        let files = try ImageFileStore(directory: directory.url)
        let records = (0..<12).map { (name: Self.names[$0], id: UUID()) }
        let illustrated = try await files.illustrate(records, placeholder: Data()) { $0.id }
        #expect(illustrated.map(\.record.name) == Self.names)
    }
}
