// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog
import Testing

@Suite(.timeLimit(.minutes(1))) struct PriorityTests {
    private let objects = RecordingTransport(FakeFeed())
    private let gate: GatedTransport

    init() { gate = GatedTransport(objects) }

    private func makePipeline(concurrentLoadCountMax: Int) throws -> ImagePipeline {
        try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: gate,
            configuration: .init(concurrentLoadCountMax: concurrentLoadCountMax),
            environment: TestWorld().environment
        )
    }

    private var loaded: [String] {
        objects.requests.map { String($0.url.lastPathComponent.split(separator: "/")[1]) }
    }

    /// Lets requests go one after the other, each when the next has arrived.
    private func release(_ count: Int) async throws {
        for _ in 0..<count {
            try await gate.wait { $0.held > 0 }
            await gate.release()
        }
    }

    @Test func `loads first what is wanted most, and of equals what was asked for first`() async throws {
        let pipeline = try makePipeline(concurrentLoadCountMax: 1)
        let first = await pipeline.images(for: [reference("running")])
        try await gate.wait { $0.held == 1 }
        let streams = [
            await pipeline.images(for: [reference("low")], priority: .low),
            await pipeline.images(for: [reference("normal1"), reference("raised")]),
            await pipeline.images(for: [reference("high")], priority: .high),
            await pipeline.images(for: [reference("normal2")]),
            await pipeline.images(for: [reference("raised")], priority: .high),
        ]
        try await release(6)
        for stream in streams + [first] { _ = await stream.results() }
        #expect(loaded == ["running", "high", "raised", "normal1", "normal2", "low"])
    }

    @Test func `prefetches over a third of the connections, and only when nothing else waits`() async throws {
        let pipeline = try makePipeline(concurrentLoadCountMax: 6)
        let prefetched = await pipeline.images(
            for: (0..<5).map { reference("prefetch\($0)") },
            priority: .prefetch
        )
        try await gate.wait { $0.held == 2 }
        let wanted = await pipeline.images(for: (0..<4).map { reference("wanted\($0)") })
        try await gate.wait { $0.held == 6 }
        for _ in 0..<9 {
            try await gate.wait { $0.held > 0 }
            await gate.release()
        }
        _ = await prefetched.results() + wanted.results()
        #expect(loaded.count == 9)
    }

    @Test func `loads from each host over connections of its own`() async throws {
        let pipeline = try makePipeline(concurrentLoadCountMax: 2)
        let other = ["a", "b", "c"].map { ImageReference(.url(fakeURL("http://other.test/x/\($0)/0"))) }
        let stream = await pipeline.images(for: (0..<3).map { reference("f\($0)") } + other)
        try await gate.wait { $0.held == 4 }
        try await release(6)
        #expect(await stream.results().allSatisfy { (try? $0.get()) != nil })
        try await gate.wait { $0.heldMax == 4 }
    }

    @Test(arguments: [(1_000, 6, 60), (35, 3, 30), (5, 0, 0)])
    func `prefetches within its budget`(byteCountMax: Int, loadCount: Int, spent: Int) async throws {
        let pipeline = try ImagePipeline(storage: FakeFeed.endpoint.storage, transport: objects)
        let prefetcher = ImagePrefetcher(pipeline: pipeline, byteCountMax: byteCountMax)
        let references = (0..<6).map {
            ImageReference(bucket: "b", owner: "o", feed: "f\($0)", index: 0, generation: 1, byteCount: 10)
        }
        await prefetcher.prefetch(references)
        await prefetcher.prefetch(references)
        #expect(objects.requests.count == loadCount)
        #expect(await prefetcher.spentByteCount == spent)
        #expect(pipeline.ledger.totals[.prefetchedUnused] == spent)

        guard loadCount > 0 else { return }
        _ = try await pipeline.image(for: references[0])
        #expect(objects.requests.count == loadCount)
        #expect(pipeline.ledger.totals[.prefetchedUnused] == spent - 10)
        #expect(pipeline.ledger.totals[.first] == 10)
    }

    @Test(arguments: [Int.max, -1, 0])
    func `is not led astray by sizes that no image has`(byteCount: Int) async throws {
        let pipeline = try ImagePipeline(storage: FakeFeed.endpoint.storage, transport: objects)
        let prefetcher = ImagePrefetcher(pipeline: pipeline, byteCountMax: 100)
        let odd = ImageReference(bucket: "b", owner: "o", feed: "odd", index: 0, generation: 1, byteCount: byteCount)
        let sound = ImageReference(bucket: "b", owner: "o", feed: "f", index: 0, generation: 1, byteCount: 10)
        await prefetcher.prefetch([sound, odd, sound, sound])
        #expect(await prefetcher.spentByteCount == (byteCount == .max ? 10 : 20))
    }

    @Test func `gives back what was promised to images that were cancelled`() async throws {
        let pipeline = try makePipeline(concurrentLoadCountMax: 6)
        let prefetcher = ImagePrefetcher(pipeline: pipeline, byteCountMax: 100)
        let references = (0..<5).map {
            ImageReference(bucket: "b", owner: "o", feed: "f\($0)", index: 0, generation: 1, byteCount: 10)
        }
        let work = Task { await prefetcher.prefetch(references) }
        try await gate.wait { $0.held == 2 }
        work.cancel()
        await work.value
        #expect(await prefetcher.spentByteCount == 0)
    }

    @Test func `prefetches images of unknown size one at a time`() async throws {
        let pipeline = try ImagePipeline(storage: FakeFeed.endpoint.storage, transport: objects)
        let prefetcher = ImagePrefetcher(pipeline: pipeline, byteCountMax: 25)
        await prefetcher.prefetch((0..<6).map { reference("f\($0)") })
        #expect(await prefetcher.spentByteCount == 30)
        #expect(objects.requests.count == 3)
    }
}
