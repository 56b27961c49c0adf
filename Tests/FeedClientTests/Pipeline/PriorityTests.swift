// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog
import Testing

@Suite(.timeLimit(.minutes(5))) struct PriorityTests {
    private let objects = RecordingTransport(FakeFeed())
    private let gate: GatedTransport

    init() { gate = GatedTransport(objects) }

    private func makePipeline(
        concurrentLoadCountMax: Int,
        byteCountMax: Int = ImagePipeline.concurrentLoadByteCountMaxDefault,
        dataGuard: (any DataGuard)? = nil
    ) throws -> ImagePipeline {
        try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: gate,
            configuration: .init(
                concurrentLoadCountMax: concurrentLoadCountMax,
                concurrentLoadByteCountMax: byteCountMax,
                dataGuard: dataGuard
            ),
            environment: TestWorld().environment
        )
    }

    private var loaded: [String] {
        objects.requests.map { String($0.url.lastPathComponent.split(separator: "/")[1]) }
    }

    /// Lets requests run one after the other, each when one is there and the one before has its answer.
    private func release(_ count: Int) async throws {
        for _ in 0..<count {
            try await gate.wait { $0.held > 0 }
            try await gate.releaseAndAwait()
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

    private func sized(_ name: String, _ byteCount: Int?) -> ImageReference {
        ImageReference(bucket: "b", owner: "o", feed: name, index: 0, generation: 1, byteCount: byteCount)
    }

    struct Concurrency: Sendable {
        var byteCount: Int?
        var countMax = 6
        var byteCountMax = 524_288
        var concurrentCount: Int
    }

    @Test(
        arguments: [
            Concurrency(byteCount: nil, concurrentCount: 6), Concurrency(byteCount: 40_000, concurrentCount: 6),
            Concurrency(byteCount: 87_381, concurrentCount: 6), Concurrency(byteCount: 100_000, concurrentCount: 5),
            Concurrency(byteCount: 131_072, concurrentCount: 4), Concurrency(byteCount: 131_073, concurrentCount: 3),
            Concurrency(byteCount: .max, concurrentCount: 3), Concurrency(byteCount: -1, concurrentCount: 6),
            Concurrency(byteCount: .max, countMax: 2, concurrentCount: 2),
            Concurrency(byteCount: .max, byteCountMax: .max, concurrentCount: 6),
            Concurrency(byteCount: 1, byteCountMax: 0, concurrentCount: 3),
        ]
    )
    func `loads fewer at a time the larger they are`(_ concurrency: Concurrency) async throws {
        let pipeline = try makePipeline(
            concurrentLoadCountMax: concurrency.countMax,
            byteCountMax: concurrency.byteCountMax
        )
        let stream = await pipeline.images(for: (0..<8).map { sized("f\($0)", concurrency.byteCount) })
        try await gate.wait { $0.held == concurrency.concurrentCount }
        try await release(8)
        #expect(await stream.results().count == 8)
        try await gate.wait { $0.heldMax == concurrency.concurrentCount }
    }

    @Test func `a large image that waits holds up large ones as urgent as itself or less, and no small one`()
        async throws
    {
        let pipeline = try makePipeline(concurrentLoadCountMax: 6)
        let large = await pipeline.images(for: (0..<4).map { sized("large\($0)", 400_000) })
        try await gate.wait { $0.held == 3 }
        let urgent = await pipeline.images(for: [sized("urgent", 400_000)], priority: .high)
        try await gate.wait { $0.held == 4 }
        let others = [
            await pipeline.images(for: [sized("medium", 100_000), sized("low", 400_000)], priority: .low),
            await pipeline.images(for: [sized("small", 10)]),
            await pipeline.images(for: [sized("unknown", nil)], priority: .low),
        ]
        try await gate.wait { $0.held == 6 }
        try await release(9)
        for stream in others + [large, urgent] { _ = await stream.results() }
        #expect(Set(loaded.prefix(6)) == ["large0", "large1", "large2", "urgent", "small", "unknown"])
        #expect(Set(loaded.suffix(3)) == ["large3", "medium", "low"])
    }

    @Test func `small images do not take the places of large ones`() async throws {
        let pipeline = try makePipeline(concurrentLoadCountMax: 6)
        let small = await pipeline.images(for: [sized("a", 10), sized("b", nil), sized("c", 87_381)])
        try await gate.wait { $0.held == 3 }
        let large = await pipeline.images(for: (0..<4).map { sized("large\($0)", 400_000) })
        try await gate.wait { $0.held == 6 }
        try await release(7)
        _ = await small.results() + large.results()
        #expect(Set(loaded.prefix(6)) == ["a", "b", "c", "large0", "large1", "large2"])
    }

    @Test func `gives back the places of large images however they end`() async throws {
        let isLowData = Locked(false)
        let pipeline = try makePipeline(
            concurrentLoadCountMax: 6,
            dataGuard: LowDataGuard { isLowData.withLock { $0 } }
        )
        func large(_ name: String, index: Int = 0) -> ImageReference {
            ImageReference(bucket: "b", owner: "o", feed: name, index: index, generation: 1, byteCount: 400_000)
        }
        for round in 0..<3 {
            // Cancelled; withheld; two of the cancelled asked for again, others loaded.
            let cancelled = Task { await pipeline.images(for: (0..<4).map { large("c\($0)-\(round)") }).results() }
            try await gate.wait { $0.held == 3 }
            cancelled.cancel()
            _ = await cancelled.value
            try await gate.wait { $0.cancelled == 3 * (round + 1) }
            isLowData.withLock { $0 = true }
            let withheld = await pipeline.images(
                for: (0..<4).map { large("w\($0)-\(round)", index: 1) },
                priority: .high
            )
            #expect(await withheld.results().allSatisfy { (try? $0.get()) == nil })
            isLowData.withLock { $0 = false }
            let again = await pipeline.images(for: (0..<2).map { large("c\($0)-\(round)") })
            let loads = await pipeline.images(for: (0..<4).map { large("l\($0)-\(round)") })
            try await gate.wait { $0.held == 3 }
            try await release(6)
            _ = await again.results() + loads.results()
        }
        try await gate.wait { $0.heldMax == 3 && $0.held == 0 }
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
