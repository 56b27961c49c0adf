// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import TestSupport
import Testing

/// A list loads the first bytes of an image, an opened post the rest.
@Suite(.timeLimit(.minutes(5))) struct PrefixTests {
    private static let image = picture(300_000)
    private let directory = TemporaryDirectory()
    private let world = TestWorld()

    enum Place: CaseIterable { case nowhere, memory, disk, both }

    private func makePipeline(_ objects: FakeObjects, _ place: Place) throws -> ImagePipeline {
        let disk = ImagePipeline.Configuration.Disk(directory: directory.url)
        return try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: objects,
            configuration: .init(
                memory: place == .memory || place == .both ? .init() : nil,
                disk: place == .disk || place == .both ? disk : nil
            ),
            environment: world.environment
        )
    }

    private let listed = reference("f").prefix(1_000)
    private let opened = reference("f").goingOn(afterPrefix: 1_000)

    private func ranges(_ objects: FakeObjects) -> [String?] { objects.requests.map { $0.headers["Range"] } }

    @Test(arguments: Place.allCases)
    func `only the rest is loaded where a cache has the prefix`(place: Place) async throws {
        let objects = FakeObjects("o/f/0", Self.image)
        let pipeline = try makePipeline(objects, place)
        #expect(try await pipeline.image(for: listed) == Self.image.prefix(1_000))
        #expect(try await pipeline.image(for: opened) == Self.image)
        #expect(ranges(objects) == ["bytes=0-999", place == .nowhere ? nil : "bytes=1000-"])
        #expect(objects.bodyByteCount == (place == .nowhere ? 301_000 : 300_000))
        #expect(pipeline.ledger.total == objects.bodyByteCount)
        guard place != .nowhere else { return }
        for reference in [listed, opened] { _ = try await pipeline.image(for: reference) }
        #expect(objects.requests.count == 2)
    }

    @Test func `goes on after a relaunch`() async throws {
        let objects = FakeObjects("o/f/0", Self.image)
        _ = try await makePipeline(objects, .both).image(for: listed)
        #expect(try await makePipeline(objects, .both).image(for: opened) == Self.image)
        #expect(ranges(objects) == ["bytes=0-999", "bytes=1000-"])
    }

    @Test(arguments: [Place.memory, .disk])
    func `an image that was replaced meanwhile comes whole`(place: Place) async throws {
        let objects = FakeObjects("o/f/0", Self.image)
        let pipeline = try makePipeline(objects, place)
        _ = try await pipeline.image(for: listed)
        objects.put(.init(data: picture(5_000, seed: 9), generation: 2), at: "o/f/0")
        #expect(try await pipeline.image(for: opened) == picture(5_000, seed: 9))
    }

    @Test func `what is known to be no longer is asked for whole`() async throws {
        let small = ImageReference(bucket: "b", owner: "o", feed: "f", index: 0, generation: 1, byteCount: 900)
        #expect(small.prefix(1_000) == small)
        #expect(small.goingOn(afterPrefix: 1_000) == small)
        #expect(small.prefix(100).byteCount == 100)
    }

    @Test(arguments: [600, 1_000])
    func `an image turns out to be no longer than its prefix`(byteCount: Int) async throws {
        let objects = FakeObjects("o/f/0", picture(byteCount))
        let pipeline = try makePipeline(objects, .memory)
        for reference in [listed, opened] { #expect(try await pipeline.image(for: reference) == picture(byteCount)) }
    }

    @Test(
        arguments: [
            FakeObjects.Fault.cut(after: 400), .noResponse, .status(503),
        ]
    )
    func `a prefix that breaks off is loaded again`(fault: FakeObjects.Fault) async throws {
        let objects = FakeObjects("o/f/0", Self.image, faults: [fault])
        let pipeline = try makePipeline(objects, .disk)
        #expect(try await pipeline.image(for: listed) == Self.image.prefix(1_000))
        #expect(ranges(objects) == ["bytes=0-999", "bytes=0-999"])
        #expect(pipeline.ledger.total == objects.bodyByteCount)
    }

    @Test func `a rest that breaks off is gone on with`() async throws {
        let objects = FakeObjects("o/f/0", Self.image)
        let pipeline = try makePipeline(objects, .disk)
        _ = try await pipeline.image(for: listed)
        objects.fail("o/f/0", [.cut(after: 100_000)])
        #expect(try await pipeline.image(for: opened) == Self.image)
        #expect(ranges(objects) == ["bytes=0-999", "bytes=1000-", "bytes=101000-"])
        #expect(objects.bodyByteCount == 300_000)
    }

    @Test func `a rest that is damaged is loaded whole`() async throws {
        let objects = FakeObjects("o/f/0", Self.image)
        let pipeline = try makePipeline(objects, .memory)
        _ = try await pipeline.image(for: listed)
        objects.fail("o/f/0", [.corrupt(at: 5)])
        #expect(try await pipeline.image(for: opened) == Self.image)
        #expect(ranges(objects) == ["bytes=0-999", "bytes=1000-", nil])
    }

    @Test func `a server that sends all, and breaks off, is gone on with`() async throws {
        let objects = FakeObjects("o/f/0", Self.image, faults: [.wholeCut(after: 5_000)])
        let pipeline = try makePipeline(objects, .disk)
        #expect(try await pipeline.image(for: listed) == Self.image)
        #expect(ranges(objects) == ["bytes=0-999", "bytes=5000-"])
        #expect(objects.bodyByteCount == 300_000)
    }

    @Test func `an image whose parts are of no use is asked for whole`() async throws {
        let objects = FakeObjects([
            "o/f/0": .init(data: Self.image, headers: ["Content-Encoding": "gzip"])
        ])
        let pipeline = try makePipeline(objects, .memory)
        #expect(try await pipeline.image(for: listed) == Self.image)
        #expect(ranges(objects) == ["bytes=0-999", nil])
    }

    @Test func `an image of which another part comes is asked for whole`() async throws {
        let objects = FakeObjects("o/f/0", Self.image, faults: [.otherRange])
        #expect(try await makePipeline(objects, .disk).image(for: listed) == Self.image)
        #expect(ranges(objects) == ["bytes=0-999", nil])
    }

    @Test(arguments: [Place.memory, .disk])
    func `a beginning that is another image's is forgotten`(place: Place) async throws {
        let objects = FakeObjects("o/f/0", Self.image, faults: [.corrupt(at: 5)])
        let disk = ImagePipeline.Configuration.Disk(directory: directory.url)
        let pipeline = try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: objects,
            configuration: .init(
                memory: place == .memory ? .init() : nil,
                disk: place == .disk ? disk : nil,
                retries: .never
            ),
            environment: world.environment
        )
        _ = try await pipeline.image(for: listed)
        let error = await #expect(throws: FeedError.self) { try await pipeline.image(for: opened) }
        #expect(error?.code == .damaged)
        #expect(try await pipeline.image(for: opened) == Self.image)
        #expect(try await pipeline.image(for: listed) == Self.image.prefix(1_000))
        #expect(ranges(objects) == ["bytes=0-999", "bytes=1000-", nil, "bytes=0-999"])
    }

    @Test func `what goes on is the whole image, whatever it was made of`() {
        let whole = reference("f").prefix(1_000).goingOn(afterPrefix: 500)
        #expect(whole == reference("f").goingOn(afterPrefix: 500))
    }

    @Test func `of a feed, the list loads prefixes and an opened post the rest`() async throws {
        let post = FeedPost(
            id: "p",
            ownerID: "o",
            feedID: "f",
            title: "",
            likes: 0,
            createdAt: .distantPast,
            images: (0..<2).map { FeedImage(index: $0, pixelWidth: 4, pixelHeight: 3, byteCount: 9_000, generation: 1) }
        )
        let form = ThumbnailForm.prefix(byteCount: 1_000)
        let listed = post.references(to: .thumbnail, in: "b", thumbnails: form)
        #expect(listed == [post.reference(to: post.images[0], in: "b").prefix(1_000)])
        let opened = post.references(to: .full, in: "b", thumbnails: form)
        #expect(opened[0].head == listed[0])
        #expect(opened[1] == post.reference(to: post.images[1], in: "b"))
        // An opened image is not a thumbnail: it has its place in the pool of full images, and may be withheld.
        #expect(opened.map(\.role) == [.full, .full])
        let copies = ThumbnailForm.resized(ResizedVariant(pixelWidth: 9, pixelHeight: 9))
        #expect(post.references(to: .full, in: "b", thumbnails: copies).map(\.role) == [.full, .full])
        #expect(post.references(to: .full, in: "b").map(\.role) == [.thumbnail, .full])
    }
}
