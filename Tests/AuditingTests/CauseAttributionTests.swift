// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import FeedDataSet
import LocalFirebase
import Metering
import SessionAudit
import Testing
import TinyFeed

@testable import Auditing
@testable import SessionLog

/// The values computed by hand for the scripted session, in which a opens p1 and no user opens another post.
@Suite(.timeLimit(.minutes(5))) struct CauseAttributionTests {
    private struct Expectation: Sendable {
        let strategy: String
        let needed: [String]
        var overFetched: [String] = []
        var again: [String] = []
        var prefetchedUnused: [String] = []
    }

    private static let seen = ["p1/0", "p1/1", "p2/0", "p3/0", "p2/0", "p3/0", "p1/0"]
    private static let unseen = ["p3/1", "p3/2", "p3/1", "p3/2", "p1/1"]
    private static let p3 = ["p3/0", "p3/1", "p3/2"]

    private static let expectations = [
        Expectation(
            strategy: "all-images",
            needed: seen,
            overFetched: unseen,
            again: ["p2/0"] + p3 + p3
        ),
        Expectation(strategy: "all-images+memory", needed: seen, overFetched: unseen, again: p3),
        Expectation(strategy: "thumbnails", needed: seen, again: ["p2/0", "p3/0", "p3/0"]),
        Expectation(strategy: "thumbnails+memory+disk", needed: seen),
        // Everything fits: what the list brings beforehand is asked for when its post is opened, or never.
        Expectation(
            strategy: "thumbnails+memory+disk+prefetch:10MB",
            needed: seen,
            prefetchedUnused: unseen
        ),
        // Without a cache nothing that is loaded beforehand is there when it is asked for.
        Expectation(
            strategy: "thumbnails+prefetch:10MB",
            needed: seen.filter { $0 != "p1/1" },
            again: ["p2/0", "p1/1"] + p3 + p3,
            prefetchedUnused: unseen + ["p1/1"]
        ),
    ]

    private func withSimulation(
        _ log: SessionLog = ScriptedSession.log(),
        display: DisplaySizes = .default,
        _ body: @escaping @Sendable (FeedSimulation, [String: Int64]) async throws -> Void
    ) async throws {
        let feed = try TinyFeed()
        let sizes = try ScriptedSession.imageByteCounts(of: feed)
        var configuration = feed.configuration
        configuration.seedVariants = [SeedVariant(pixelWidth: 40, pixelHeight: 40)]
        try await Emulator(configuration).runDirectly { servers in
            let server = SimulatedFirebase(servers: servers)
            try await body(try FeedSimulation(log: log, answeredBy: server, display: display), sizes)
        }
    }

    @Test func `every byte has the cause that was computed by hand`() async throws {
        try await withSimulation { simulation, sizes in
            for expected in Self.expectations {
                let outcome = try await simulation.result(of: try Strategy(expected.strategy)).outcome
                let causes = try #require(outcome.simulated?.causes)
                func expect(_ images: [String], _ cause: DownloadCause) {
                    let byteCount = images.reduce(0) { $0 + (sizes[$1] ?? 0) }
                    #expect(causes.amount(of: cause).byteCount == byteCount, "\(expected.strategy): \(cause)")
                }
                expect(expected.needed, .needed)
                expect(expected.overFetched, .overFetched)
                expect(expected.again, .again)
                expect(expected.prefetchedUnused, .prefetchedUnused)
                #expect(causes.byteCount == outcome.usage.sent.body)
            }
        }
    }

    @Test func `the causes sum to what was downloaded, whatever the strategy`() async throws {
        let strategies = [
            "all-images+no-joining+memory:100kB", "thumbnails+revalidate+memory+disk", "thumbnails+url-lookups",
            "thumbnails+prefetch:130kB+memory:70kB", "thumbnails+revalidate+no-joining+prefetch:130kB+disk",
            "thumbnails:40x40", "thumbnails:40x40+memory+prefetch:130kB", "progressive:20kB", "progressive:20kB+memory",
            "progressive:20kB+disk:90kB+prefetch:130kB",
        ]
        try await withSimulation(display: DisplaySizes(screenWidth: 40, columnCount: 2)) { simulation, _ in
            for strategy in try strategies.map({ try Strategy($0) }) + Strategy.presets {
                let outcome = try await simulation.result(of: strategy).outcome
                #expect(outcome.simulated?.causes.byteCount == outcome.usage.sent.body, "\(strategy.name)")
            }
        }
    }

    @Test func `of a prefix only the rest is loaded, or what is repeated is told`() async throws {
        let opening = Array(ScriptedSession.steps.prefix(3))
        try await withSimulation(ScriptedSession.log(opening)) { simulation, sizes in
            let rest = (sizes["p1/0"] ?? 0) + (sizes["p1/1"] ?? 0)
            for (strategy, again) in [("progressive:20kB", 20_000), ("progressive:20kB+memory", 0)] {
                let outcome = try await simulation.result(of: try Strategy(strategy)).outcome
                let causes = try #require(outcome.simulated?.causes)
                #expect(causes.amount(of: .needed).byteCount == 2 * 20_000 + rest)
                #expect(causes.amount(of: .again).byteCount == Int64(again))
                #expect(causes.byteCount == outcome.usage.sent.body)
            }
        }
    }

    @Test func `an image that is shown small is oversized, but not when its post is opened`() async throws {
        try await withSimulation { whole, _ in
            let needed = try await whole.result(of: .baseline).outcome.simulated?.causes.amount(of: .needed)
            try await self.withSimulation(display: DisplaySizes(screenWidth: 8, columnCount: 4)) { simulation, _ in
                let causes = try #require(try await simulation.result(of: .baseline).outcome.simulated?.causes)
                let (small, oversized) = (causes.amount(of: .needed), causes.amount(of: .oversized))
                #expect(small.byteCount + oversized.byteCount == needed?.byteCount)
                #expect(oversized.byteCount > 0)
            }
        }
    }

    @Test func `the objects and screens with the most bytes come first`() async throws {
        try await withSimulation { simulation, sizes in
            let outcome = try await simulation.result(of: .baseline).outcome
            let causes = try #require(outcome.simulated?.causes)
            let objects = causes.topObjects(of: .again, atMost: 9)
            let byteCounts = objects.map(\.amount.byteCount)
            #expect(byteCounts == byteCounts.sorted(by: >))
            #expect(Set(objects.map(\.name)) == ["u2/p2/0", "u1/p3/0", "u1/p3/1", "u1/p3/2"])
            #expect(objects.first { $0.name == "u1/p3/0" }?.amount.byteCount == 2 * (sizes["p3/0"] ?? 0))
            #expect(causes.topPages(of: .again, atMost: 1).first?.name == "switchTab latest")
            #expect(causes.topScreens(of: .again).map(\.name) == ["latest", "popular"])
            #expect(
                causes.topObjects(of: .again, on: "popular").map(\.name).sorted() == ["u1/p3/0", "u1/p3/1", "u1/p3/2"]
            )
            let parts = causes.topScreens(of: .again).reduce(0) { $0 + $1.amount.byteCount }
            #expect(parts == causes.amount(of: .again).byteCount)
            #expect(causes.topObjects(of: .again, atMost: 2).count == 2)
        }
    }

    @Test(
        arguments: [
            // 400 pixels where 200 are shown: a quarter; from twice the pixels on.
            (1_000, 400, 250), (1_000, 283, 500), (1_000, 282, 1_000), (1_000, 200, 1_000), (1_000, 0, 1_000),
            (1, 4_000, 1), (0, 4_000, 0), (1_000, .max, 1),
        ] as [(Int, Int, Int)]
    )
    func `an image needs the bytes of the pixels that are shown`(_ byteCount: Int, _ width: Int, _ needed: Int) {
        let display = DisplaySizes(screenWidth: 400, columnCount: 2)
        #expect(display.neededByteCount(of: byteCount, pixelWidth: width, isInList: true) == needed)
    }
}
