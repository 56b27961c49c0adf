// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LocalFirebase
import LogImport
import Metering
import SessionAudit
import Testing
import TinyFeed

@testable import Auditing
@testable import SessionLog

@Suite(.timeLimit(.minutes(5))) struct ScreenUsageTests {
    /// A query and an image that no view explains.
    private static let other: [UsageAttribution.Service: UsageTotals] = [
        .firestore: UsageTotals(
            requests: 3,
            received: .zero,
            sent: TransferredBytes(header: 0, body: 700, wire: 700),
            billed: BilledUsage(egressBytes: 700, documentReads: 5)
        )
    ]

    private func outcomes(
        _ strategies: [String],
        of log: SessionLog = ScriptedSession.log()
    ) async throws -> [StrategyOutcome] {
        let feed = try TinyFeed()
        return try await Emulator(feed.configuration).runDirectly { servers in
            // Its directory is there as long as it is.
            defer { withExtendedLifetime(feed) {} }
            let simulation = try FeedSimulation(
                log: log,
                other: Self.other,
                answeredBy: SimulatedFirebase(servers: servers)
            )
            var outcomes: [StrategyOutcome] = []
            for strategy in strategies {
                outcomes.append(try await simulation.result(of: try Strategy(strategy)).outcome)
            }
            return outcomes
        }
    }

    @Test func `screens add up to the totals, but for what no view explains`() async throws {
        let strategies = [
            "all-images", "all-images+memory", "thumbnails+memory+disk", "thumbnails+revalidate+disk+page:1",
            "thumbnails+url-lookups+no-joining+prefetch:130kB+memory:70kB", "progressive:20kB+disk+listen",
        ]
        for outcome in try await outcomes(strategies) {
            let screens = try #require(outcome.simulated?.screens)
            func sum(_ count: KeyPath<ScreenUsage, Int64>) -> Int64 {
                screens.values.reduce(0) { $0 + $1[keyPath: count] }
            }
            let usage = outcome.usage
            #expect(sum(\.requestCount) == usage.requests - 3, "\(outcome.strategy.name)")
            #expect(sum(\.byteCount) == usage.sent.body - 700)
            #expect(sum(\.documentReads) == usage.billed.documentReads - 5)
            #expect(sum(\.hits) == outcome.counts.cacheHits)
            #expect(sum(\.misses) == outcome.counts.cacheMisses)
            // But for the relaunch, which shows nothing.
            #expect(sum(\.viewCount) == 8)
            #expect(Set(screens.keys) == ["popular", "latest", "opened posts"])
        }
    }

    @Test func `hits in memory and on disk are counted apart, by screen`() async throws {
        let outcome = try #require(try await outcomes(["thumbnails+memory+disk"]).first)
        let screens = try #require(outcome.simulated?.screens)
        // On latest a finds in memory what popular showed; after the relaunch, popular is on disk.
        #expect([screens["latest"]?.memoryHits, screens["latest"]?.diskHits, screens["latest"]?.misses] == [2, 0, 3])
        #expect(
            [screens["popular"]?.memoryHits, screens["popular"]?.diskHits, screens["popular"]?.misses] == [0, 1, 3]
        )
        #expect(screens["opened posts"]?.misses == 1)
    }

    @Test func `parts of a log merge to the screens of one run`() async throws {
        let log = ScriptedSession.log()
        let whole = try #require(try await outcomes(["all-images+memory"]).first?.simulated?.screens)
        var merged: [String: ScreenUsage] = [:]
        for user in ["a", "b"] {
            let part = ScriptedSession.log(ScriptedSession.steps.filter { $0.client == user })
            for (name, usage) in try #require(
                try await outcomes(["all-images+memory"], of: part).first?.simulated?.screens
            ) {
                merged[name, default: ScreenUsage()].add(usage)
            }
        }
        #expect(log.views.count == 9 && merged == whole)
    }

    @Test func `the table has a row for each screen, and hits of both caches apart`() async throws {
        let report = SampleReport.report(try await outcomes(["thumbnails", "thumbnails+memory+disk"]))
        let lines = report.screensText.split(separator: "\n")
        #expect(lines[0].hasPrefix("bytes by screen  views  doc reads  thumbnails  thumbnails+memory+disk"))
        #expect(lines.contains { $0.hasPrefix("latest") && $0.hasSuffix("2 + 0 of 5") })
        #expect(lines.contains { $0.hasPrefix("popular") && $0.hasSuffix("0 + 1 of 4") })
        #expect(report.markdown.contains("<summary>By screen</summary>"))
        #expect(try report.json().contains("\"diskHits\" : 1"))
    }

    @Test func `reads that differ between strategies have a table of their own`() async throws {
        let report = SampleReport.report(try await outcomes(["thumbnails", "thumbnails+persistence"]))
        #expect(report.screenBytes?.heading == ["bytes by screen", "views", "thumbnails", "thumbnails+persistence"])
        #expect(report.screenReads?.rows.first { $0[0] == "popular" }.map { $0[1] != $0[2] } == true)
    }
}

struct TextTableTests {
    @Test func `a table that is too wide is put under itself`() {
        let cells = (heading: ["name", "one", "two", "three"], rows: [["a", "1", "2", "3"]])
        #expect(
            TextTable.blocks(cells, width: 14) == """
                name  one  two
                --------------
                a       1    2

                name  three
                -----------
                a         3
                """
        )
        #expect(TextTable.blocks(cells, width: 21) == TextTable((cells.heading, cells.rows)).rendered)
    }

    @Test(
        arguments: [
            ("a b", 10, "  a b"), ("aa bb cc", 7, "  aa bb\n  cc"), ("aaaaaaaaaa b", 6, "  aaaaaaaaaa\n  b"),
            ("", 9, ""),
        ]
    )
    func `text is wrapped between words`(_ text: String, _ width: Int, _ lines: String) {
        #expect(text.wrapped(to: width, indent: "  ") == lines)
    }
}
