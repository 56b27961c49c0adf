// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LoopbackRelay
import Metering
import Testing
import Wire

/// A storage server on a free port, its store, and the records of its requests.
struct LiveServer {
    let fixture: StorageFixture
    let port: UInt16
    let records: RecordCollector

    func connect() throws -> LoopbackSocket { try LoopbackSocket.connected(to: port) }

    /// Sends bytes on a connection of its own, ends the sending side, and returns all that comes back.
    func exchange(_ bytes: [UInt8]) async throws -> [UInt8] {
        try await blocking {
            let client = try connect()
            client.send(bytes)
            client.shutdownSending()
            var answer: [UInt8] = []
            while let piece = client.receive(), !piece.isEmpty { answer += piece }
            return answer
        }
    }

    /// Runs a body against a running server and stops the server afterwards.
    static func run<Result: Sendable>(
        _ body: @Sendable @escaping (LiveServer) async throws -> Result
    ) async throws -> Result {
        let fixture = try StorageFixture()
        let records = RecordCollector()
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let server = WireServer(
            host: "127.0.0.1",
            port: 0,
            service: fixture.server,
            sink: records,
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
                return try await body(LiveServer(fixture: fixture, port: UInt16(port), records: records))
            }
            let result = try #require(try await group.next())
            group.cancelAll()
            return try #require(result)
        }
    }
}
