// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import LogImport

struct BatchQueueTests {
    private struct Failure: Error {}

    private static func take(_ time: Int64, to sink: inout some RequestSink) throws {
        var text = RequestText()
        let name = text.append("u/p/\(time)")
        try text.withRequest { request in
            request.time = time
            request.object = name
            try sink.take(request)
        }
    }

    /// The requests that arrive of a log of `count`, whose reader may fail at one.
    private static func requests(
        of count: Int64,
        readerFailsAt: Int64? = nil
    ) throws -> (requests: [CollectedRequest], error: (any Error)?) {
        var (collected, recent) = (CollectedRequests(), RecentRequests())
        do {
            try BatchQueue.run(hasNames: true) { writer in
                for time in 0..<count {
                    if time == readerFailsAt { throw Failure() }
                    try take(time, to: &writer)
                }
            } take: { batch in
                try batch.take(to: &collected, recent: &recent)
            }
        } catch {
            return (collected.requests, error)
        }
        return (collected.requests, nil)
    }

    @Test(arguments: [0, 1, 512, 513, 50_000] as [Int64])
    func `all requests arrive in their order, with the texts that they had`(count: Int64) throws {
        let (requests, error) = try Self.requests(of: count)
        #expect(error == nil)
        #expect(requests.map(\.time) == Array(0..<count))
        #expect(requests.allSatisfy { $0.object == "u/p/\($0.time)" })
    }

    @Test func `an error of the reader comes after what was read before`() throws {
        let (requests, error) = try Self.requests(of: 50_000, readerFailsAt: 30_000)
        #expect(error is Failure)
        #expect(requests.count > 29_000 && requests.count <= 30_000)
    }

    @Test func `a taker that fails has the reader stop`() throws {
        let hasStopped = Atomic(false)
        var (collected, recent) = (CollectedRequests(), RecentRequests())
        #expect(throws: Failure.self) {
            try BatchQueue.run(hasNames: true) { writer in
                defer { hasStopped.store(true, ordering: .releasing) }
                for time in 0... { try Self.take(Int64(time), to: &writer) }
            } take: { batch in
                try batch.take(to: &collected, recent: &recent)
                throw Failure()
            }
        }
        while !hasStopped.load(ordering: .acquiring) {}
    }
}
