// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LiveServing
import LoopbackRelay
import StorageServer

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
        faults: FaultInjector = FaultInjector(),
        judge: CurrentStorageJudge = CurrentStorageJudge(),
        _ body: @Sendable @escaping (LiveServer) async throws -> Result
    ) async throws -> Result {
        let fixture = try StorageFixture(faults: faults, judge: judge)
        return try await serving(fixture.server) { port, records in
            try await body(LiveServer(fixture: fixture, port: port, records: records))
        }
    }
}
