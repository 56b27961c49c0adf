// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog
import TestSupport
import Testing

/// Downloads that break off are resumed, and never become another image.
@Suite(.timeLimit(.minutes(5))) struct ResumeTests {
    private static let image = picture(300_000)
    private let directory = TemporaryDirectory()
    private let world = TestWorld()

    enum Place: CaseIterable { case memory, disk }

    private func makePipeline(
        _ objects: FakeObjects,
        _ place: Place = .disk,
        retries: RetryPolicy = .never
    ) throws -> ImagePipeline {
        let disk = ImagePipeline.Configuration.Disk(directory: directory.url)
        return try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: objects,
            configuration: .init(disk: place == .disk ? disk : nil, retries: retries),
            environment: world.environment
        )
    }

    private func ranges(_ objects: FakeObjects) -> [String?] { objects.requests.map { $0.headers["Range"] } }

    @Test(arguments: Place.allCases)
    func `goes on within the attempts of one load`(place: Place) async throws {
        let objects = FakeObjects("o/f/1", Self.image, faults: [.cut(after: 100_000), .cut(after: 50_000)])
        let pipeline = try makePipeline(objects, place, retries: RetryPolicy())
        #expect(try await pipeline.image(for: reference("f", 1)) == Self.image)
        #expect(ranges(objects) == [nil, "bytes=100000-", "bytes=150000-"])
        #expect(objects.bodyByteCount == 300_000)
        #expect(world.delays == [.milliseconds(250), .milliseconds(500)])
        #expect(pipeline.ledger.totals[.first] == 300_000)
        #expect(pipeline.ledger.total == 300_000)
    }

    @Test(arguments: Place.allCases)
    func `goes on when the image is asked for again`(place: Place) async throws {
        let objects = FakeObjects("o/f/1", Self.image, faults: [.cut(after: 100_000)])
        let pipeline = try makePipeline(objects, place)
        let error = await #expect(throws: FeedError.self) { try await pipeline.image(for: reference("f", 1)) }
        #expect(error?.code == .noResponse)
        #expect(pipeline.ledger.totals[.aborted] == 100_000)
        #expect(try await pipeline.image(for: reference("f", 1)) == Self.image)
        #expect(ranges(objects) == [nil, "bytes=100000-"])
        #expect(pipeline.ledger.totals[.aborted] == 0)
        #expect(pipeline.ledger.totals[.first] == 300_000)
    }

    @Test func `goes on after a relaunch`() async throws {
        let objects = FakeObjects("o/f/1", Self.image, faults: [.cut(after: 100_000)])
        await #expect(throws: FeedError.self) { try await makePipeline(objects).image(for: reference("f", 1)) }
        let relaunched = try makePipeline(objects)
        #expect(try await relaunched.image(for: reference("f", 1)) == Self.image)
        #expect(objects.bodyByteCount == 300_000)
        #expect(try await makePipeline(objects).image(for: reference("f", 1)) == Self.image)
        #expect(objects.requests.count == 2)
        #expect(try directory.files().filter { $0.pathExtension == "fmpart" }.isEmpty)
    }

    @Test(arguments: Place.allCases)
    func `begins anew when the object was replaced meanwhile`(place: Place) async throws {
        let objects = FakeObjects("o/f/1", Self.image, faults: [.cut(after: 100_000)])
        let pipeline = try makePipeline(objects, place)
        let unversioned = reference("f", 1, generation: nil)
        await #expect(throws: FeedError.self) { try await pipeline.image(for: unversioned) }
        let other = picture(200_000, seed: 9)
        objects.put(.init(data: other, generation: 2), at: "o/f/1")
        #expect(try await pipeline.image(for: unversioned) == other)
        #expect(ranges(objects) == [nil, "bytes=100000-"])
        #expect(pipeline.ledger.totals[.first] == 200_000)
        #expect(pipeline.ledger.totals[.aborted] == 100_000)
    }

    @Test(
        arguments: [
            [FakeObjects.Fault.cut(after: 100_000), .otherRange], [.cut(after: 100_000), .status(416)],
            [.corrupt(at: 7)], [.cut(after: 100_000), .corrupt(at: 7)],
        ]
    )
    func `begins anew when what came does not fit`(faults: [FakeObjects.Fault]) async throws {
        let objects = FakeObjects("o/f/1", Self.image, faults: faults)
        let pipeline = try makePipeline(objects, retries: RetryPolicy())
        #expect(try await pipeline.image(for: reference("f", 1)) == Self.image)
        #expect(objects.requests.last?.headers["Range"] == nil)
        #expect(pipeline.ledger.totals[.first] == 300_000)
        #expect(pipeline.ledger.total == objects.bodyByteCount)
    }

    @Test func `never shows an image that is damaged`() async throws {
        let objects = FakeObjects("o/f/1", Self.image, faults: [.corrupt(at: 0), .corrupt(at: 1), .corrupt(at: 2)])
        let pipeline = try makePipeline(objects, retries: RetryPolicy())
        let error = await #expect(throws: FeedError.self) { try await pipeline.image(for: reference("f", 1)) }
        #expect(error?.code == .damaged)
        #expect(pipeline.ledger.totals[.failed] == 900_000)
        #expect(try await pipeline.image(for: reference("f", 1)) == Self.image)
    }

    @Test func `does not go on with what has no strong validator`() async throws {
        let objects = FakeObjects()
        objects.put(.init(data: Self.image, headers: ["ETag": "W/\"weak\""]), at: "o/f/1")
        objects.fail("o/f/1", [.cut(after: 100_000)])
        let pipeline = try makePipeline(objects, retries: RetryPolicy())
        #expect(try await pipeline.image(for: reference("f", 1)) == Self.image)
        #expect(ranges(objects) == [nil, nil])
        #expect(pipeline.ledger.totals[.failed] == 100_000)
    }

    @Test(arguments: Place.allCases)
    func `keeps what had come when it is cancelled, and begins at once for who asks again`(place: Place) async throws {
        let objects = FakeObjects("o/f/1", Self.image, faults: [.stall(after: 160_000)])
        let pipeline = try makePipeline(objects, place)
        let load = Task {
            for try await event in await pipeline.events(for: reference("f", 1)) {
                if case .progress(let received, let whole) = event, received == 160_000 {
                    #expect(whole == 300_000)
                    return
                }
            }
        }
        try await load.value
        // The first load may still be putting away what it has.
        #expect(try await pipeline.image(for: reference("f", 1)) == Self.image)
        #expect(ranges(objects) == [nil, "bytes=160000-"])
        #expect(objects.bodyByteCount == 300_000)
        #expect(pipeline.ledger.totals[.first] == 300_000)
        #expect(await pipeline.statistics.cancelled == 1)
    }

    @Test func `asks for the last byte of what came whole, to hold it against the server's checksum`() async throws {
        let objects = FakeObjects("o/f/1", Self.image, faults: [.stall(after: 300_000)])
        let pipeline = try makePipeline(objects)
        let load = Task {
            for try await event in await pipeline.events(for: reference("f", 1)) {
                if case .progress(300_000, _) = event { return }
            }
        }
        try await load.value
        #expect(try await pipeline.image(for: reference("f", 1)) == Self.image)
        #expect(ranges(objects) == [nil, "bytes=299999-"])
    }

    @Test func `refuses an image that is too large, however many responses bring it`() async throws {
        let objects = FakeObjects()
        let headers = ["Content-Length": "\((64 << 20) + 1)"]
        objects.put(.init(data: picture(1_000), headers: headers), at: "o/f/1")
        let pipeline = try makePipeline(objects)
        let error = await #expect(throws: FeedError.self) { try await pipeline.image(for: reference("f", 1)) }
        #expect(error?.code == .responseUnreadable)
        #expect(try directory.files().filter { $0.pathExtension == "fmpart" }.isEmpty)
    }

    @Test func `books a refusal and what came after it`() async throws {
        let objects = FakeObjects("o/f/1", Self.image, faults: [.status(503)])
        let pipeline = try makePipeline(objects, retries: RetryPolicy())
        _ = try await pipeline.image(for: reference("f", 1))
        #expect(pipeline.ledger.total == objects.bodyByteCount)
    }

    @Test func `takes damage to the file for nothing`() async throws {
        let objects = FakeObjects("o/f/1", Self.image, faults: [.cut(after: 100_000)])
        await #expect(throws: FeedError.self) { try await makePipeline(objects).image(for: reference("f", 1)) }
        let part = try #require(try directory.files().first { $0.pathExtension == "fmpart" })
        var contents = try Data(contentsOf: part)
        contents[contents.count - 5] ^= 1
        try contents.write(to: part)
        // The checksum of the whole shows that what was kept is not what had come.
        let pipeline = try makePipeline(objects, retries: RetryPolicy())
        #expect(try await pipeline.image(for: reference("f", 1)) == Self.image)
        #expect(ranges(objects) == [nil, "bytes=100000-", nil])
    }

    @Test func `reports how far it has come, then the image`() async throws {
        let objects = FakeObjects(["o/f/1": .init(data: picture(50_000))], pieceByteCount: 20_000)
        let pipeline = try makePipeline(objects)
        var events: [ImageEvent] = []
        for try await event in await pipeline.events(for: reference("f", 1)) { events.append(event) }
        #expect(events.last == .image(picture(50_000), .network))
        #expect(events.dropLast().last == .progress(receivedByteCount: 50_000, wholeByteCount: 50_000))
    }
}
