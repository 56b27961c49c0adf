// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import SessionLog
import Testing

@Suite(.timeLimit(.minutes(5))) struct ConcurrentMapTests {
    private struct Failure: Error {}

    @Test func `keeps the order and skips failures`() async throws {
        let results = try await Array(0..<50).concurrentCompactMap(concurrencyMax: 7) { number -> Int? in
            for _ in 0..<(50 - number) { await Task.yield() }
            if number % 10 == 3 { throw Failure() }
            return number % 10 == 7 ? nil : number
        }
        #expect(results == (0..<50).filter { $0 % 10 != 3 && $0 % 10 != 7 })
    }

    @Test func `works on no more than so many at a time`() async throws {
        let running = Locked((now: 0, most: 0))
        _ = try await Array(0..<40).concurrentCompactMap(concurrencyMax: 3) { number -> Int? in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<20 { await Task.yield() }
            running.withLock { $0.now -= 1 }
            return number
        }
        #expect(running.withLock { $0.most } <= 3)
    }

    @Test func `ends when it is cancelled, without results`() async throws {
        let gate = GatedTransport(FakeFeed())
        let pipeline = try ImagePipeline(storage: FakeFeed.endpoint.storage, transport: gate)
        let posters = Task { try await pipeline.posters(for: (0..<20).map { reference("f\($0)") }) }
        try await gate.wait { $0.held > 0 }
        posters.cancel()
        await #expect(throws: CancellationError.self) { try await posters.value }
    }
}
