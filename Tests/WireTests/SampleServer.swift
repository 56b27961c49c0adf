// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LiveServing
import LoopbackRelay
import Wire

/// A server on a free port with a counting relay before it.
struct SampleServer {
    let collector: RecordCollector
    let relay: LoopbackRelay

    func connect() throws -> LoopbackSocket { try LoopbackSocket.connected(to: relay.port) }

    /// Asks for something, reads at least a number of bytes of the answer, and resets the connection.
    func breakOff(_ path: String, afterReading byteCount: Int) async throws {
        try await blocking {
            let client = try connect()
            client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            var read = 0
            while read < byteCount, let bytes = client.receive(), !bytes.isEmpty { read += bytes.count }
            client.reset()
            relay.finish()
        }
    }

    /// Runs a body against a running server and stops the server afterwards.
    static func run<Result: Sendable>(
        _ service: any WireService = SampleService(),
        lingering: LingeringLimits = LingeringLimits(),
        _ body: @Sendable @escaping (SampleServer) async throws -> Result
    ) async throws -> Result {
        try await serving(service, lingering: lingering) { port, records in
            try await body(SampleServer(collector: records, relay: LoopbackRelay(to: port)))
        }
    }
}
