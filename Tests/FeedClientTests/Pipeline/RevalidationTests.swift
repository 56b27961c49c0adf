// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog
import TestSupport
import Testing

/// Images without a generation may be replaced under their name; those with one never change.
@Suite(.timeLimit(.minutes(5))) struct RevalidationTests {
    private let directory = TemporaryDirectory()
    private let world = TestWorld()
    private let objects = FakeObjects("o/f/0", picture(1_000))
    private let unversioned = reference("f", generation: nil)

    private func makePipeline(
        _ staleness: ImagePipeline.Configuration.Staleness = .revalidate,
        hasMemory: Bool = true,
        dataGuard: (any DataGuard)? = nil
    ) throws -> ImagePipeline {
        try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: objects,
            configuration: .init(
                memory: hasMemory ? .init() : nil,
                disk: .init(directory: directory.url),
                staleness: staleness,
                dataGuard: dataGuard
            ),
            environment: world.environment
        )
    }

    private var conditions: [String?] { objects.requests.map { $0.headers["If-None-Match"] } }

    @Test(arguments: [true, false])
    func `asks whether it has changed, and shows what there is`(hasMemory: Bool) async throws {
        let pipeline = try makePipeline(hasMemory: hasMemory)
        for _ in 0..<2 { #expect(try await pipeline.image(for: unversioned) == picture(1_000)) }
        let tag = FakeObjects.Object(data: picture(1_000)).entityTag
        #expect(conditions == [nil, tag])
        #expect(objects.bodyByteCount == 1_000)
        #expect(await pipeline.statistics.revalidated == 1)

        objects.put(.init(data: picture(500, seed: 7), generation: 2), at: "o/f/0")
        #expect(try await pipeline.image(for: unversioned) == picture(500, seed: 7))
        #expect(try await makePipeline(hasMemory: hasMemory).image(for: unversioned) == picture(500, seed: 7))
        #expect(objects.bodyByteCount == 1_500)
        #expect(pipeline.ledger.totals[.revalidated] == 500)
        #expect(pipeline.ledger.totals[.first] == 1_000)
    }

    @Test func `says of each image where it came from`() async throws {
        func origins(_ pipeline: ImagePipeline, _ reference: ImageReference) async -> [ImageOrigin?] {
            var origins: [ImageOrigin?] = []
            for await delivery in await pipeline.images(for: [reference]) { origins.append(delivery.origin) }
            return origins
        }
        let pipeline = try makePipeline()
        #expect(await origins(pipeline, unversioned) == [.network])
        #expect(await origins(pipeline, unversioned) == [.revalidation])
        let versioned = reference("f", 0)
        #expect(await origins(pipeline, versioned) == [.network])
        #expect(await origins(pipeline, versioned) == [.memory])
        #expect(await origins(try makePipeline(), versioned) == [.disk])
        #expect(await origins(pipeline, reference("g", 0)) == [nil])
    }

    @Test func `does not ask within the lifetime that the server gave, also after a relaunch`() async throws {
        objects.put(.init(data: picture(1_000), headers: ["Cache-Control": "public, max-age=60"]), at: "o/f/0")
        let pipeline = try makePipeline()
        _ = try await pipeline.image(for: unversioned)
        world.advance(by: .seconds(59))
        _ = try await pipeline.image(for: unversioned)
        _ = try await makePipeline().image(for: unversioned)
        #expect(objects.requests.count == 1)
        world.advance(by: .seconds(2))
        for _ in 0..<2 { _ = try await pipeline.image(for: unversioned) }
        _ = try await makePipeline().image(for: unversioned)
        #expect(objects.requests.count == 2)
    }

    @Test(
        arguments: [
            ("no-store", 2, 2_000), ("no-cache", 2, 1_000), ("max-age=10, no-cache", 2, 1_000),
            ("max-age=x", 2, 1_000), ("no-cache, no-store, must-revalidate", 2, 2_000), ("max-age=-5", 2, 1_000),
            ("Public , Max-Age=\"60\"", 1, 1_000),
        ]
    )
    func `keeps to Cache-Control`(directives: String, requestCount: Int, byteCount: Int) async throws {
        objects.put(.init(data: picture(1_000), headers: ["Cache-Control": directives]), at: "o/f/0")
        let pipeline = try makePipeline()
        for _ in 0..<2 { _ = try await pipeline.image(for: unversioned) }
        #expect(objects.requests.count == requestCount)
        #expect(objects.bodyByteCount == byteCount)
    }

    @Test func `shows what it has and asks meanwhile`() async throws {
        let pipeline = try makePipeline(.staleWhileRevalidate)
        _ = try await pipeline.image(for: unversioned)
        objects.put(.init(data: picture(500, seed: 7), generation: 2), at: "o/f/0")
        #expect(try await pipeline.image(for: unversioned) == picture(1_000))
        // The second request waits for the first's question, which is on its way.
        var shown = picture(1_000)
        while shown == picture(1_000) { shown = try await pipeline.image(for: unversioned) }
        #expect(shown == picture(500, seed: 7))
        #expect(objects.bodyByteCount == 1_500)
    }

    @Test func `shows what it has for ever when told to`() async throws {
        let pipeline = try makePipeline(.ignore)
        for _ in 0..<3 { _ = try await pipeline.image(for: unversioned) }
        #expect(objects.requests.count == 1)
    }

    @Test func `never asks for a generation again`() async throws {
        for _ in 0..<2 {
            let pipeline = try makePipeline()
            for _ in 0..<2 { _ = try await pipeline.image(for: reference("f")) }
        }
        #expect(objects.requests.count == 1)
    }

    @Test func `keeps what came in place of an outdated generation under its own`() async throws {
        objects.put(.init(data: picture(500, seed: 7), generation: 2), at: "o/f/0")
        let pipeline = try makePipeline()
        for _ in 0..<2 { #expect(try await pipeline.image(for: reference("f")) == picture(500, seed: 7)) }
        #expect(try await pipeline.image(for: reference("f", generation: 2)) == picture(500, seed: 7))
        #expect(try await makePipeline().image(for: reference("f", generation: 2)) == picture(500, seed: 7))
        #expect(objects.requests.count == 1)
    }

    @Test(arguments: ["-10000000000000", "99999999999999999", "x"])
    func `survives an age that no cache can have`(age: String) async throws {
        let headers = ["Cache-Control": "max-age=60", "Age": age]
        objects.put(.init(data: picture(1_000), headers: headers), at: "o/f/0")
        #expect(try await makePipeline().image(for: unversioned) == picture(1_000))
    }

    @Test func `follows a document that stays behind, generation by generation`() async throws {
        let pipeline = try makePipeline(hasMemory: false)
        for generation in [2, 3] as [Int64] {
            objects.put(.init(data: picture(500, seed: UInt8(generation)), generation: generation), at: "o/f/0")
            let fresh = reference("f", generation: generation)
            #expect(try await pipeline.image(for: fresh) == picture(500, seed: UInt8(generation)))
        }
        // The document still says 1; what there is in its place is 3, and is loaded once.
        for _ in 0..<3 { #expect(try await pipeline.image(for: reference("f")) == picture(500, seed: 3)) }
        #expect(objects.requests.count == 3)
    }

    @Test func `does not take an older generation for the newer one`() async throws {
        let pipeline = try makePipeline()
        #expect(try await pipeline.image(for: reference("f", generation: 2)) == picture(1_000))
        objects.put(.init(data: picture(500, seed: 7), generation: 2), at: "o/f/0")
        #expect(try await pipeline.image(for: reference("f", generation: 2)) == picture(500, seed: 7))
        #expect(try await makePipeline().image(for: reference("f", generation: 1)) == picture(1_000))
        #expect(objects.requests.count == 2)
    }

    @Test func `shows what it has without a network`() async throws {
        let pipeline = try makePipeline()
        _ = try await pipeline.image(for: unversioned)
        objects.fail("o/f/0", Array(repeating: .noResponse, count: 3))
        #expect(try await pipeline.image(for: unversioned) == picture(1_000))
        objects.fail("o/f/0", [.status(404)])
        await #expect(throws: FeedError.self) { try await pipeline.image(for: unversioned) }
    }

    @Test func `shows what it has when it may not ask`() async throws {
        _ = try await makePipeline().image(for: unversioned)
        let guarded = try makePipeline(dataGuard: LowDataGuard { true })
        #expect(try await guarded.image(for: unversioned) == picture(1_000))
    }

    @Test func `has the app's own uploads without loading them`() async throws {
        let pipeline = try makePipeline()
        await pipeline.store(picture(700, seed: 3), for: reference("mine", generation: 5))
        #expect(try await pipeline.image(for: reference("mine", generation: 5)) == picture(700, seed: 3))
        #expect(try await makePipeline().image(for: reference("mine", generation: 5)) == picture(700, seed: 3))
        #expect(objects.requests.isEmpty)
    }
}
