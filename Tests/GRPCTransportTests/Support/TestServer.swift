// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import GRPCTransport
import HTTPTypes
import HummingbirdCore
import LiveServing
import LoopbackRelay
import Metering
import Wire

/// A server of the test's methods on a free port, with a counting relay before it.
struct TestServer {
    let port: UInt16
    let relay: LoopbackRelay
    let collector: RecordCollector
    let calls: TestCalls

    /// A client that talks to the server through the relay.
    func connect(window: UInt32 = .max >> 1) throws -> FrameClient {
        try FrameClient(port: relay.port, window: window)
    }

    /// Runs a body against a running server and stops the server afterwards.
    static func run<Result: Sendable>(
        limits: GRPCLimits = GRPCLimits(),
        _ body: @Sendable @escaping (TestServer) async throws -> Result
    ) async throws -> Result {
        let calls = TestCalls()
        return try await serving(TestService(calls: calls, limits: limits)) { port, collector in
            let relay = try LoopbackRelay(to: port)
            return try await body(TestServer(port: port, relay: relay, collector: collector, calls: calls))
        }
    }

    /// Runs a body that may block with a client of a running server.
    static func withClient<Result: Sendable>(
        limits: GRPCLimits = GRPCLimits(),
        window: UInt32 = .max >> 1,
        _ body: @Sendable @escaping (FrameClient) throws -> Result
    ) async throws -> Result {
        try await run(limits: limits) { server in
            try await blocking { try body(try server.connect(window: window)) }
        }
    }
}

/// Answers `Ok` over HTTP/1.1 and the test's methods over HTTP/2.
struct TestService: WireService {
    let meteredService = UsageAttribution.Service.firestore
    let bodyByteCountMax: Int64 = 1 << 20
    private let streams: GRPCStreamService

    init(calls: TestCalls, limits: GRPCLimits = GRPCLimits()) {
        streams = GRPCStreamService(
            services: [TestMethods(calls: calls)],
            directMethods: TestDirectMethods.all(calls),
            limits: limits
        )
    }

    var streamService: (any WireStreamService)? { streams }

    func respond(to request: Request, exchange: Exchange) async -> Response {
        .text("Ok\n", contentType: "text/plain; charset=utf-8")
    }

    func refuseBody(exchange: Exchange) -> Response { Response(status: .contentTooLarge) }
}
