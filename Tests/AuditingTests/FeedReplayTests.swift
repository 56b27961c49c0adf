// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import FeedClient
import Foundation
import LocalFirebase
import Metering
import SessionLog
import Testing
import TinyFeed

@Suite(.timeLimit(.minutes(5))) struct FeedReplayTests {
    /// The bytes of the script's seven query answers, counted by asking for the same pages without a session.
    private static func queryByteCount(_ addresses: EmulatorAddresses) async throws -> Int64 {
        let endpoint = try await ConsoleClient(address: addresses.console).endpoint(of: TinyFeed.address)
        let transport = CountingTransport(URLSessionTransport())
        let repository = FeedRepository(endpoint: endpoint, transport: transport)
        let popular = try await repository.page(sort: .popular, number: 0, size: 2)
        _ = try await repository.page(sort: .popular, number: 1, size: 2, after: popular.cursor)
        _ = try await repository.page(sort: .popular, number: 1, size: 2)
        _ = try await repository.page(sort: .latest, number: 0, size: 2)
        let latest = try await repository.page(sort: .latest, number: 0, size: 2)
        let next = try await repository.page(sort: .latest, number: 1, size: 2, after: latest.cursor)
        let empty = try await repository.page(sort: .latest, number: 2, size: 2, after: next.cursor)
        #expect(empty.posts.isEmpty)
        return Int64(transport.counts.responseBodyBytes)
    }

    private static func outcomes(at console: String) async throws -> [StrategyOutcome] {
        let replay = FeedReplay(log: ScriptedSession.log(), console: ConsoleClient(address: console))
        return try await replay.outcomes(of: Strategy.presets)
    }

    @Test func `measures what was computed by hand, for each strategy`() async throws {
        let feed = try TinyFeed()
        let sizes = try ScriptedSession.imageByteCounts(of: feed)
        try await Emulator(feed.configuration).run { addresses in
            let queryBytes = try await Self.queryByteCount(addresses)
            let outcomes = try await Self.outcomes(at: addresses.console)
            #expect(outcomes.map(\.strategy) == Strategy.presets)
            for (outcome, expected) in zip(outcomes, ScriptedSession.expectations) {
                let loadBytes = expected.loads.reduce(0) { $0 + (sizes[$1] ?? 0) }
                let loadCount = Int64(expected.loads.count)
                #expect(outcome.strategy.name == expected.strategy)
                #expect(outcome.usage.requests == ScriptedSession.queryCount + loadCount)
                #expect(outcome.usage.sent.body == queryBytes + loadBytes)
                let billed = BilledUsage(
                    egressBytes: queryBytes + loadBytes,
                    classB: loadCount,
                    documentReads: ScriptedSession.documentReads
                )
                #expect(outcome.usage.billed == billed)
                #expect(outcome.counts.cacheMisses == loadCount)
                #expect(outcome.counts.cacheMissBytes == loadBytes)
                #expect(outcome.counts.cacheHits == expected.hitCount)
                #expect(outcome.counts.cacheHitBytes == expected.hits.reduce(0) { $0 + (sizes[$1] ?? 0) })
            }
        }
    }

    @Test func `two runs give the same report, byte for byte`() async throws {
        let feed = try TinyFeed()
        var reports: Set<String> = []
        for _ in 0..<2 {
            let outcomes = try await Emulator(feed.configuration).run { try await Self.outcomes(at: $0.console) }
            let report = ReplayReport(
                session: AuditedSession(ScriptedSession.log(), from: "session.log"),
                outcomes: outcomes
            )
            reports.insert(try report.json())
        }
        #expect(reports.count == 1)
    }

    @Test func `tells how far it has come`() async throws {
        let feed = try TinyFeed()
        try await Emulator(feed.configuration).run { addresses in
            let (steps, continuation) = AsyncStream.makeStream(of: ReplayProgress.self)
            let replay = FeedReplay(log: ScriptedSession.log(), console: ConsoleClient(address: addresses.console)) {
                continuation.yield($0)
            }
            _ = try await replay.outcomes(of: [Strategy("thumbnails"), Strategy("all-images")])
            continuation.finish()
            let seen = await steps.reduce(into: []) { $0.append("\($1.subject) \($1.done)/\($1.total)") }
            #expect(seen == (1...9).map { "thumbnails \($0)/9" } + (1...9).map { "all-images \($0)/9" })
        }
    }

    @Test func `notices when something else uses the emulator`() async throws {
        let feed = try TinyFeed()
        try await Emulator(feed.configuration).run { addresses in
            let meddler = MeddlingTransport(storage: addresses.storage)
            let console = ConsoleClient(address: addresses.console, transport: meddler)
            let replay = FeedReplay(log: ScriptedSession.log(), console: console)
            let error = await #expect(throws: AuditError.self) { try await replay.outcomes(of: [.baseline]) }
            #expect(error?.code == .mismatch)
            #expect(error?.exitCode == 70)
            #expect(error?.description.hasPrefix("all-images: the client counted 26 requests and ") == true)
            #expect(error?.description.contains(" body bytes, the meter 27 and ") == true)
        }
    }
}

/// Downloads something from the emulator just before the console is asked for the usage.
private struct MeddlingTransport: HTTPTransport {
    let storage: String
    let base = URLSessionTransport()

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if request.url.query?.hasPrefix("since=") == true, let url = URL(string: "http://\(storage)/v0/b/x/o/y") {
            _ = try await base.send(TransportRequest(method: "GET", url: url))
        }
        return try await base.send(request)
    }
}
