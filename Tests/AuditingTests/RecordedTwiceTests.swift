// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import FeedClient
import Foundation
import LocalFirebase
import LogImport
import Metering
import SessionAudit
import TestSupport
import Testing

@testable import Auditing
@testable import SessionLog

/// A session recorded twice: with the views that an app noted, and from the wire alone.
// Its longest test takes minutes where other suites run beside it.
@Suite(.timeLimit(.minutes(15))) struct RecordedTwiceTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("fixtures")

    /// The bundled session of five users; one of them starts the app again after 29 minutes.
    private static func noted() throws -> SessionLog {
        try SessionLog.load(fixtures.appendingPathComponent("session.log").path)
    }

    private static func configuration(
        _ clock: Locked<Int64>,
        recordingTo path: String
    ) -> EmulatorConfiguration {
        var configuration = EmulatorConfiguration(now: { clock.withLock { $0 } }, makeToken: CountedTokens().make)
        configuration.ports = .free
        configuration.seedPath = fixtures.appendingPathComponent("feed/feed.json").path
        configuration.recordPath = path
        return configuration
    }

    /// Does what the users did, with an app that knows nothing of logs; a token says whose each request is.
    private static func play(
        _ session: SessionLog,
        app: Strategy,
        at console: String,
        clock: Locked<Int64>
    ) async throws {
        let feed = try #require(session.header.feed)
        let endpoint = try await ConsoleClient(address: console).endpoint(of: feed)
        var clients: [String: ReplayClient] = [:]
        var transports: [String: SignedInTransport] = [:]
        for (index, view) in session.views.enumerated() {
            let now = session.header.createdAt.microseconds + 1_000 * view.atMilliseconds
            clock.withLock { $0 = now }
            let transport = transports[view.client] ?? SignedInTransport(user: view.client)
            transports[view.client] = transport
            if view.action == .relaunch { transport.reconnect() }
            let client = try clients[view.client] ?? app.client(of: endpoint, over: transport, startingAt: now)
            clients[view.client] = client
            try await client.perform(view, at: now, number: index + 1)
        }
    }

    private static func byteCounts(_ simulation: FeedSimulation) async throws -> [String: Double] {
        var byteCounts: [String: Double] = [:]
        for strategy in Strategy.presets {
            byteCounts[strategy.name] = Double(try await simulation.result(of: strategy).outcome.usage.sent.body)
        }
        return byteCounts
    }

    /// Measured 2026-11-25: 24 bytes more with each strategy, of 157 to 949 million.
    @Test func `the wire alone gives each strategy's bytes within 2 %, and its ratio within 3 %`() async throws {
        let directory = TemporaryDirectory()
        let noted = try Self.noted()
        let clock = Locked(noted.header.createdAt.microseconds)
        let configuration = Self.configuration(clock, recordingTo: directory.file("wire.log"))
        let exact = Locked<[String: Double]>([:])
        try await Emulator(configuration).runWithServers { addresses, servers in
            let app = try Strategy("thumbnails")
            try await Self.play(noted, app: app, at: addresses.console, clock: clock)
            let simulation = try FeedSimulation(log: noted, answeredBy: SimulatedFirebase(servers: servers))
            let byteCounts = try await Self.byteCounts(simulation)
            exact.withLock { $0 = byteCounts }
        }
        let source = try SessionSource(directory.file("wire.log"))
        let usage = try #require(source.usage)
        let simulation = try FeedSimulation(log: try source.whole(), other: usage.other, answeredBy: nil)
        let inferred = try await Self.byteCounts(simulation)
        let known = exact.withLock { $0 }
        let baseline = try #require(known["all-images"]) / #require(inferred["all-images"])
        for (strategy, byteCount) in known {
            let found = try #require(inferred[strategy])
            #expect(abs(found / byteCount - 1) < 0.02, "\(strategy): \(found) for \(byteCount)")
            #expect(abs(found / byteCount * baseline - 1) < 0.03, "\(strategy), compared with all-images")
        }
    }
}

/// Says whose a request is by an unsigned token, over connections that last as long as the app runs.
private final class SignedInTransport: HTTPTransport {
    private let base = Locked(URLSessionTransport())
    private let authorization: String

    init(user: String) { authorization = "Bearer e30.\(Data(#"{"sub":"\#(user)"}"#.utf8).webSafeBase64)." }

    func reconnect() { base.withLock { $0 = URLSessionTransport() } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.headers["Authorization"] = authorization
        return try await base.withLock { $0 }.send(request)
    }
}

extension Strategy {
    /// An app without caches that loads as the strategy says.
    fileprivate func client(
        of endpoint: FeedEndpoint,
        over base: SignedInTransport,
        startingAt start: Int64
    ) throws -> ReplayClient {
        let tape = TapingTransport(base)
        let transport = CountingTransport(tape)
        let clock = VirtualClock(startingAt: start)
        let pipeline = try ImagePipeline(
            storage: endpoint.storage,
            transport: transport,
            configuration: ImagePipeline.Configuration(memory: nil),
            environment: PipelineEnvironment(now: clock.microseconds, arrivedByteCountMax: .max)
        )
        let session = FeedSession(
            repository: FeedRepository(endpoint: endpoint, transport: transport),
            pipeline: pipeline,
            mode: mode,
            pageSize: ReplayPaging.pageSizeDefault
        )
        return ReplayClient(
            session: session,
            pipeline: pipeline,
            transport: transport,
            tape: tape,
            clock: clock,
            strategy: self,
            bucket: endpoint.bucket
        )
    }
}
