// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ImagePipelineTests {
    private let directory = TemporaryDirectory()
    private let counting = CountingTransport(FakeFeed(missing: ["o/gone/0"]))

    private static func object(_ feed: String, _ generation: Int64?) -> ImageReference {
        ImageReference(.object(bucket: "b", name: "o/f/\(feed)"), generation: generation)
    }

    private func makePipeline(
        _ configuration: ImagePipeline.Configuration = .init(),
        over transport: (any HTTPTransport)? = nil
    ) throws -> ImagePipeline {
        try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: transport ?? counting,
            configuration: configuration,
            environment: TestWorld().environment
        )
    }

    @Test(
        arguments: [
            (
                ImageReference(bucket: "demo.appspot.com", owner: "u 1", feed: "f+ä", index: 2, token: "a b&c"),
                "/v0/b/demo.appspot.com/o/u%201%2Ff%2B%C3%A4%2F2?alt=media&token=a%20b%26c"
            ), (reference("f", 0), "/v0/b/b/o/o%2Ff%2F0?alt=media"),
        ]
    )
    func `asks for an object as the SDKs do`(reference: ImageReference, path: String) async throws {
        let transport = StubTransport("image")
        let data = try await makePipeline(over: transport).image(for: reference)
        #expect(data == Data("image".utf8))
        #expect(transport.requests.map(\.method) == ["GET"])
        #expect(transport.requests.map(\.url.absoluteString) == ["http://storage.test" + path])
        #expect(transport.requests.first?.headers == [:])
    }

    @Test func `asks memory, then disk, then the network`() async throws {
        let disk = ImagePipeline.Configuration.Disk(directory: directory.url)
        let pipeline = try makePipeline(.init(disk: disk))
        for _ in 0..<2 { _ = try await pipeline.image(for: reference("a", 1)) }
        await pipeline.removeMemory()
        for _ in 0..<2 { _ = try await pipeline.image(for: reference("a", 1)) }
        let restarted = try makePipeline(.init(memory: nil, disk: disk))
        for _ in 0..<2 { _ = try await restarted.image(for: reference("a", 1)) }

        var expected = PipelineStatistics()
        expected.networkLoads = 1
        expected.networkByteCount = 100
        expected.memoryHits = 2
        expected.memoryByteCount = 200
        expected.diskHits = 1
        expected.diskByteCount = 100
        #expect(await pipeline.statistics == expected)
        #expect(await restarted.statistics.diskHits == 2)
        #expect(counting.counts.requests == 1)
        #expect(counting.counts.responseBodyBytes == 100)
    }

    @Test(
        arguments: [
            (reference("a", 0), reference("a", 0, generation: 2), 2), (reference("a"), reference("b"), 2),
            (reference("a"), reference("a", generation: nil), 2),
            // Names that would be one if a generation were only appended, or characters only compared.
            (Self.object("0#1", nil), Self.object("0", 1), 2),
            (Self.object("\u{E9}/0", 1), Self.object("e\u{301}/0", 1), 2),
            (
                reference("a"),
                ImageReference(bucket: "b", owner: "o", feed: "a", index: 0, generation: 1, token: "other"), 1
            ),
        ]
    )
    func `files images by path and generation`(first: ImageReference, second: ImageReference, loads: Int) async throws {
        let pipeline = try makePipeline()
        _ = try await pipeline.image(for: first)
        _ = try await pipeline.image(for: second)
        #expect(await pipeline.statistics.networkLoads == loads)
    }

    @Test(arguments: [(true, 1, 1), (false, 2, 0)])
    func `joins a request in flight`(joins: Bool, loads: Int, joined: Int) async throws {
        let gate = GatedTransport(counting)
        let pipeline = try makePipeline(.init(joinsRequests: joins), over: gate)
        let first = await pipeline.images(for: [reference("a", 1)])
        let second = await pipeline.images(for: [reference("a", 1)])
        try await gate.wait { $0.held == loads }
        for _ in 0..<loads { await gate.release() }
        let results = await first.results() + second.results()
        #expect(try results.map { try $0.get().count } == [100, 100])
        let statistics = await pipeline.statistics
        #expect(statistics.networkLoads == loads)
        #expect(statistics.joined == joined)
        #expect(statistics.joinedByteCount == 100 * joined)
        #expect(counting.counts.requests == loads)
    }

    @Test func `ranks a joined image by its latest request`() async throws {
        let pipeline = try makePipeline(.init(memory: .init(byteCountMax: 10)))
        _ = await pipeline.images(for: [reference("a"), reference("b"), reference("a")]).results()
        #expect(await pipeline.memoryKeys == ["b/o/a/0#1"])
    }

    @Test func `does not keep failures`() async throws {
        let pipeline = try makePipeline(.init(disk: .init(directory: directory.url)))
        for _ in 0..<2 {
            let results = await pipeline.images(for: [reference("gone"), reference("a"), reference("gone")]).results()
            #expect(results.map { (try? $0.get())?.count } == [nil, 10, nil])
            let error = #expect(throws: FeedError.self) { try results[0].get() }
            #expect(error?.message == "o/gone/0: 404 Not Found.")
        }
        let statistics = await pipeline.statistics
        #expect(statistics.failures == 4)
        #expect(statistics.requests == 6)
        #expect(counting.counts.requests == 3)
    }

    @Test func `loads six images at a time`() async throws {
        let gate = GatedTransport(counting)
        let pipeline = try makePipeline(over: gate)
        let stream = await pipeline.images(for: (0..<20).map { reference("f\($0)") })
        for released in 0..<20 {
            try await gate.wait { $0.arrived == min(20, released + 6) && $0.held > 0 }
            await gate.release()
        }
        #expect(await stream.results().count == 20)
        try await gate.wait { $0.heldMax == 6 }
    }

    @Test func `cancels loads that nobody waits for any more`() async throws {
        let gate = GatedTransport(counting)
        let pipeline = try makePipeline(over: gate)
        let wanted = await pipeline.images(for: [reference("f0")])
        let unwanted = await pipeline.images(for: (0..<20).map { reference("f\($0)") })
        let listener = Task { await unwanted.results().count }
        try await gate.wait { $0.held == 6 }
        listener.cancel()
        try await gate.wait { $0.cancelled == 5 }
        await gate.release()
        #expect(await wanted.results().count == 1)
        #expect(await listener.value == 0)
        let statistics = await pipeline.statistics
        #expect(statistics.cancelled == 20)
        #expect(statistics.networkLoads == 1)
        #expect(counting.counts.requests == 1)
    }

    @Test func `reports a cancelled load as cancelled`() async throws {
        let gate = GatedTransport(counting)
        let pipeline = try makePipeline(over: gate)
        let load = Task { try await pipeline.image(for: reference("a")) }
        try await gate.wait { $0.held == 1 }
        load.cancel()
        await #expect(throws: CancellationError.self) { try await load.value }
        try await gate.wait { $0.cancelled == 1 }
    }

    @Test func `ends an empty batch at once`() async throws {
        let pipeline = try makePipeline()
        #expect(await pipeline.images(for: []).results().isEmpty)
    }
}
