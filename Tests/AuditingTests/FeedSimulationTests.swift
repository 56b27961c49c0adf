// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import LocalFirebase
import SessionAudit
import Testing
import TinyFeed

@testable import Auditing
@testable import SessionLog

@Suite(.timeLimit(.minutes(5))) struct FeedSimulationTests {
    private static let strategies = [
        "all-images+memory", "thumbnails+prefetch:130kB+memory:70kB+disk", "thumbnails+page:1+revalidate+disk:90kB",
        "progressive:20kB+no-joining+listen",
    ]

    /// Forty users who do as the two of the scripted session, some time apart.
    private static let crowd: SessionLog = {
        let day = ScriptedSession.log()
        let views = (0..<20).flatMap { number in
            day.views.map { view in
                SessionView(
                    atMilliseconds: Int64(number) * 7_000,
                    client: "\(view.client)\(number)",
                    action: view.action
                )
            }
        }
        return day.with(views: views)
    }()

    private func withServer(_ body: @escaping @Sendable (SimulatedFirebase) async throws -> Void) async throws {
        let feed = try TinyFeed()
        try await Emulator(feed.configuration).runDirectly { servers in
            // Its directory is there as long as it is.
            defer { withExtendedLifetime(feed) {} }
            try await body(SimulatedFirebase(servers: servers))
        }
    }

    @Test func `users in several groups come to what each comes to alone`() async throws {
        try await withServer { server in
            let strategies = try Self.strategies.map { try Strategy($0) }
            let whole = try await FeedSimulation(log: Self.crowd, answeredBy: server).outcomes(of: strategies)
            var parts = strategies.map { StrategyPart(StrategyOutcome(ofNobody: $0), curves: nil) }
            for user in UserViews.users(of: Self.crowd.views) {
                let alone = Self.crowd.with(views: user.views.map(\.view))
                let outcomes = try await FeedSimulation(log: alone, answeredBy: server).outcomes(of: strategies)
                for (index, outcome) in outcomes.enumerated() { parts[index].add(StrategyPart(outcome, curves: nil)) }
            }
            for (index, outcome) in whole.enumerated() {
                let sum = parts[index].outcome(of: strategies[index], adding: [:])
                #expect(outcome.usage == sum.usage && outcome.counts == sum.counts && outcome.billed == sum.billed)
                #expect(outcome.simulated?.causes == sum.simulated?.causes)
                #expect(outcome.simulated?.screens == sum.simulated?.screens)
                #expect(outcome.simulated?.views == sum.simulated?.views)
                #expect(outcome.simulated?.downloadsByMinute == sum.simulated?.downloadsByMinute)
            }
        }
    }

    @Test func `the first view of the log that fails is named, whoever is simulated first`() async throws {
        let steps: [(client: String, action: SessionView.Action)] = [
            ("a", .openFeed(.popular, page: 0)), ("b", .openFeed(.popular, page: 0)),
            ("c", .openFeed(.popular, page: 0)), ("c", .openPost(owner: "u9", post: "p9")),
            ("a", .openPost(owner: "u9", post: "p9")), ("b", .openPost(owner: "u9", post: "p9")),
        ]
        try await withServer { server in
            let simulation = try FeedSimulation(log: ScriptedSession.log(steps), answeredBy: server)
            for _ in 0..<5 {
                let error = await #expect(throws: AuditError.self) {
                    try await simulation.outcomes(of: Strategy.presets)
                }
                #expect(error?.description.hasPrefix("view 4 (client c)") == true)
            }
        }
    }
}
