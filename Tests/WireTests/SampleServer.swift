// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LoopbackRelay
import Testing
import Wire

/// A server on a free port with a counting relay before it.
struct SampleServer {
    let collector: RecordCollector
    let relay: LoopbackRelay

    func connect() throws -> LoopbackSocket { try LoopbackSocket.connected(to: relay.port) }

    /// Runs a body against a running server and stops the server afterwards.
    static func run<Result: Sendable>(
        _ body: @Sendable @escaping (SampleServer) async throws -> Result
    ) async throws -> Result {
        let collector = RecordCollector()
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let server = WireServer(
            host: "127.0.0.1",
            port: 0,
            service: SampleService(),
            sink: collector,
            now: { 0 },
            onReady: { announce.yield($0) }
        )
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await server.run()
                return nil
            }
            group.addTask {
                var iterator = ports.makeAsyncIterator()
                let port = try #require(await iterator.next())
                return try await body(SampleServer(collector: collector, relay: LoopbackRelay(to: UInt16(port))))
            }
            let result = try #require(try await group.next())
            group.cancelAll()
            return try #require(result)
        }
    }
}
