// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog
import Testing

@Suite(.timeLimit(.minutes(5))) struct RetryTests {
    private let world = TestWorld()

    private func load(
        _ faults: [FakeObjects.Fault],
        _ retries: RetryPolicy = RetryPolicy()
    ) async throws -> (result: Result<Data, FeedError>, requestCount: Int) {
        let objects = FakeObjects("o/f/0", picture(10), faults: faults)
        let pipeline = try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: objects,
            configuration: .init(retries: retries),
            environment: world.environment
        )
        let results = await pipeline.images(for: [reference("f")]).results()
        return (try #require(results.first), objects.requests.count)
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func `tries again after statuses that may pass`(status: Int) async throws {
        let (result, requestCount) = try await load([.status(status), .status(status)])
        #expect(try result.get() == picture(10))
        #expect(requestCount == 3)
    }

    @Test(arguments: [400, 401, 402, 403, 404, 405, 410, 412, 501])
    func `does not repeat what cannot help`(status: Int) async throws {
        let (result, requestCount) = try await load([.status(status)])
        let error = #expect(throws: FeedError.self) { try result.get() }
        #expect(error?.status == status)
        #expect(requestCount == 1)
    }

    @Test func `tries again when no response came`() async throws {
        let (result, requestCount) = try await load([.noResponse, .noResponse])
        #expect(try result.get() == picture(10))
        #expect(requestCount == 3)
    }

    @Test func `gives up after so many attempts, with the last error`() async throws {
        let (result, requestCount) = try await load([.status(500), .noResponse, .status(503), .status(500)])
        let error = #expect(throws: FeedError.self) { try result.get() }
        #expect(error?.status == 503)
        #expect(requestCount == 3)
    }

    @Test func `waits twice as long each time, up to a bound`() async throws {
        let retries = RetryPolicy(attemptCountMax: 6, firstDelay: .seconds(1), delayMax: .seconds(5))
        _ = try await load(Array(repeating: .status(503), count: 6), retries)
        #expect(world.delays == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
    }

    @Test(arguments: [("3", [Duration.seconds(3)], 2), ("0", [.milliseconds(250)], 2), ("60", [], 1)])
    func `waits as long as the server asks, but not for ever`(
        asked: String,
        delays: [Duration],
        requestCount: Int
    ) async throws {
        let loaded = try await load([.status(503, headers: ["Retry-After": asked])])
        #expect(world.delays == delays)
        #expect(loaded.requestCount == requestCount)
    }
}
