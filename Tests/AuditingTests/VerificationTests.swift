// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import FeedDataSet
import Foundation
import LocalFirebase
import Metering
import SessionAudit
import Testing
import TinyFeed

@testable import Auditing
@testable import SessionLog

// Its longest test takes minutes where other suites run beside it.
@Suite(.timeLimit(.minutes(15))) struct VerificationTests {
    /// Every part of a strategy at least once, and sizes at which images must go: the feed's are of about 60 kB.
    private static let strategies =
        [
            "thumbnails+page:1", "thumbnails+page:3+memory", "all-images+page:5+disk:130kB:arc",
            "thumbnails+url-lookups+memory", "thumbnails+revalidate+memory+disk", "all-images+revalidate+memory:130kB",
            "thumbnails+prefetch:70kB+memory", "thumbnails+prefetch:100MB+disk:1min",
            "all-images+no-joining+memory:100kB",
            "thumbnails+revalidate+no-joining+prefetch:130kB+disk", "all-images+concurrency:1",
            "thumbnails+http2+layout-last", "thumbnails:40x40", "thumbnails:40x40+memory+disk",
            "thumbnails:40x40+disk:70kB:sieve:1h+prefetch:130kB+page:3",
            "thumbnails:60x60+revalidate+memory+url-lookups", "progressive", "progressive:20kB",
            "progressive:20kB+memory",
            "progressive:20kB+disk+prefetch:130kB", "progressive:20kB+memory:90kB:sieve+disk:150kB:s3fifo:2h+page:3",
            "progressive:10kB+memory+revalidate", "progressive:30kB+no-joining+memory:50kB+disk+url-lookups",
        ]
        + CachePolicyChoice.all.flatMap { policy in
            ["all-images+memory:190kB:\(policy.name)", "thumbnails+memory:70kB+disk:190kB:\(policy.name):2h"]
        }

    /// The scripted session, and a day later the same again; half an hour passes between two views.
    private static let log: SessionLog = {
        let day = ScriptedSession.log()
        let views = (day.views + day.views).enumerated().map { index, view in
            SessionView(atMilliseconds: Int64(index) * 1_800_000, client: view.client, action: view.action)
        }
        return SessionLog(header: day.header, views: views, requestCount: 0, skippedLineCount: 0)
    }()

    private func withBoth(
        _ body: @escaping @Sendable (FeedReplay, DirectServers) async throws -> Void
    ) async throws {
        let feed = try TinyFeed()
        var configuration = feed.configuration
        configuration.seedVariants = [40, 60].map { SeedVariant(pixelWidth: $0, pixelHeight: $0) }
        try await Emulator(configuration).runWithServers { addresses, servers in
            try await body(FeedReplay(log: Self.log, console: ConsoleClient(address: addresses.console)), servers)
        }
    }

    @Test func `every strategy makes the same requests live and simulated`() async throws {
        try await withBoth { live, servers in
            let simulation = try FeedSimulation(log: Self.log, answeredBy: SimulatedFirebase(servers: servers))
            for strategy in try Strategy.presets + Strategy.named + Self.strategies.map({ try Strategy($0) }) {
                let (live, simulated) = (try await live.result(of: strategy), try await simulation.result(of: strategy))
                let outcome = try Verification(of: Self.log).outcome(live: live, simulated: simulated)
                #expect(outcome.counts == simulated.outcome.counts)
                #expect(outcome.usage.sent.body == simulated.outcome.usage.sent.body)
            }
        }
    }

    /// Views are half an hour apart: an image is fresh at the next one, but not at the one after it.
    @Test(arguments: [("public, max-age=2700", true), ("no-store", false), ("private, max-age=2700, no-cache", true)])
    func `lifetimes are kept alike live and simulated`(_ cacheControl: String, isKept: Bool) async throws {
        try await withBoth { live, servers in
            for name in ["u1/p1/0", "u1/p1/1", "u2/p2/0", "u1/p3/0", "u1/p3/1", "u1/p3/2"] {
                let object = name.replacingOccurrences(of: "/", with: "%2F")
                let answer = try await servers.answer(
                    .storage,
                    method: "PATCH",
                    target: "/v0/b/\(TinyFeed.address.bucket)/o/\(object)",
                    headers: ["Content-Type": "application/json"],
                    body: Array(#"{"cacheControl":"\#(cacheControl)"}"#.utf8)
                )
                #expect(answer.status == 200)
            }
            let simulation = try FeedSimulation(log: Self.log, answeredBy: SimulatedFirebase(servers: servers))
            for text in ["thumbnails+revalidate+memory", "all-images+revalidate+disk", "thumbnails+memory+disk"] {
                let strategy = try Strategy(text)
                let simulated = try await simulation.result(of: strategy)
                let outcome = try Verification(of: Self.log).outcome(
                    live: try await live.result(of: strategy),
                    simulated: simulated
                )
                #expect((outcome.counts.cacheHits > 0) == isKept)
                let askedAgain = simulated.tape.joined().count { $0.status == 304 }
                #expect((askedAgain > 0) == (isKept && strategy.revalidates), "\(text)")
            }
        }
    }

    @Test func `a simulation gives what was computed by hand, without a socket`() async throws {
        let feed = try TinyFeed()
        let sizes = try ScriptedSession.imageByteCounts(of: feed)
        try await Emulator(feed.configuration).runDirectly { servers in
            let server = SimulatedFirebase(servers: servers)
            let simulation = try FeedSimulation(log: ScriptedSession.log(), answeredBy: server)
            for (strategy, expected) in zip(Strategy.presets, ScriptedSession.expectations) {
                let outcome = try await simulation.result(of: strategy).outcome
                #expect(outcome.usage.requests == ScriptedSession.queryCount + Int64(expected.loads.count))
                #expect(outcome.usage.billed.documentReads == ScriptedSession.documentReads)
                #expect(outcome.counts.cacheMissBytes == expected.loads.reduce(0) { $0 + (sizes[$1] ?? 0) })
                #expect(outcome.counts.cacheHitBytes == expected.hits.reduce(0) { $0 + (sizes[$1] ?? 0) })
            }
        }
    }

    @Test func `the first request that differs is named`() async throws {
        try await withBoth { live, servers in
            let lying = LyingFirebase(base: SimulatedFirebase(servers: servers))
            let simulation = try FeedSimulation(log: Self.log, answeredBy: lying)
            let simulated = try await simulation.result(of: .baseline)
            let live = try await live.result(of: .baseline)
            let error = #expect(throws: AuditError.self) {
                try Verification(of: Self.log).outcome(live: live, simulated: simulated)
            }
            #expect(error?.exitCode == 70)
            let description = try #require(error?.description)
            #expect(description.hasPrefix("all-images: at view 2 (client a) the live client made the request GET "))
            #expect(description.contains("u1%2Fp3%2F1"))
            #expect(description.hasSuffix(", 7 bytes)"))
        }
    }

    @Test func `an image that is not there ends a simulation as it ends a replay`() async throws {
        let feed = try TinyFeed()
        try await Emulator(feed.configuration).runDirectly { servers in
            let lying = LyingFirebase(base: SimulatedFirebase(servers: servers), status: 404)
            let simulation = try FeedSimulation(log: Self.log, answeredBy: lying)
            let error = await #expect(throws: AuditError.self) { try await simulation.result(of: .baseline) }
            #expect(error?.exitCode == 65)
            #expect(error?.description.hasPrefix("view 2 (client a): u1/p3/1 is answered with 404") == true)
        }
    }
}

/// Says of the image `p3/1` that it has seven bytes, or another status.
private struct LyingFirebase: FirebaseAnswering {
    let base: SimulatedFirebase
    var status = 200

    func answer(to request: TransportRequest) async throws -> FirebaseAnswer {
        let answer = try await base.answer(to: request)
        guard request.url.absoluteString.contains("p3%2F1?alt=media") else { return answer }
        var response = answer.response
        response.status = status
        return FirebaseAnswer(response: response, byteCount: 7, billed: answer.billed)
    }
}
