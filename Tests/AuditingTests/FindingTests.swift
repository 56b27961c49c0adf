// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LocalFirebase
import Metering
import SessionAudit
import Testing
import TinyFeed

@testable import Auditing

@Suite(.timeLimit(.minutes(5))) struct FindingTests {
    private static func tally(_ amounts: [(DownloadCause, Int)]) -> CauseTally {
        amounts.reduce(into: CauseTally()) {
            $0.add($1.1, cause: $1.0, object: "o", at: CauseTally.Place(page: "scroll s, page 1", screen: "s"))
        }
    }

    @Test func `what could be done without is told from one percent on, most bytes first`() {
        let tally = Self.tally([
            (.needed, 5_000), (.overFetched, 1_000), (.again, 3_800), (.oversized, 100), (.lookups, 99),
            (.documents, 1),
        ])
        let findings = Finding.all(in: tally)
        #expect(findings.map(\.cause) == [.again, .overFetched, .oversized])
        #expect(findings.map(\.percent) == [38, 10, 1])
        #expect(Finding.all(in: CauseTally()).isEmpty)
    }

    @Test(
        arguments: [
            ("all-images", .overFetched, "thumbnails"),
            ("thumbnails", .overFetched, nil),
            ("thumbnails+no-joining", .again, "thumbnails+memory"),
            ("thumbnails+memory:1MB:sieve", .again, "thumbnails+memory:1MB:sieve+disk"),
            ("thumbnails+memory+disk:300MiB:7d", .again, "thumbnails+memory+disk:600MiB"),
            ("all-images+prefetch:2MB+page:4", .prefetchedUnused, "all-images+page:4"),
            ("thumbnails+revalidate+disk", .revalidated, "thumbnails+disk"),
            ("thumbnails+url-lookups+http2", .lookups, "thumbnails+http2"),
            ("thumbnails", .documents, nil),
            ("thumbnails+memory", .oversized, "thumbnails:585x1170+memory"),
            ("thumbnails:900x900", .oversized, "thumbnails:585x1170"),
            ("thumbnails:300x300", .oversized, nil),
            ("progressive", .oversized, nil),
            ("all-images", .oversized, "thumbnails:585x1170"),
        ] as [(String, DownloadCause, String?)]
    )
    func `a cause has a change that avoids it`(_ text: String, _ cause: DownloadCause, _ better: String?) throws {
        #expect(try Strategy(text).avoiding(cause, on: .default)?.name == better)
    }

    @Test(
        arguments: [
            ("all-images", "thumbnails:585x1170+memory+disk"),
            ("thumbnails+revalidate+url-lookups+no-joining+page:4", "thumbnails:585x1170+memory+disk+page:4"),
            ("thumbnails:300x300+memory:1MB+disk:2MB:7d+prefetch:1MB", "thumbnails:300x300+memory:1MB+disk:2MB:7d"),
            ("progressive+memory+disk", nil),
        ] as [(String, String?)]
    )
    func `all that helps is tried together`(_ text: String, _ better: String?) throws {
        #expect(try Strategy(text).avoidingAll(on: .default)?.name == better)
    }

    @Test func `smaller copies are no remedy where nobody knows how large they are`() throws {
        #expect(try Strategy("thumbnails").avoiding(.oversized, on: nil) == nil)
    }

    @Test(
        arguments: [
            "thumbnails:200x200+disk", "progressive+memory", "progressive:20kB", "all-images", "thumbnails+memory+disk",
            "thumbnails+memory:50MB:sieve+disk:200MB:7d",
            "all-images+memory:5kB:arc+prefetch:2MB+page:3+concurrency:2+no-joining+http2+url-lookups+revalidate+layout-last",
            "thumbnails+disk:1h", "thumbnails+disk:s3fifo:90min",
        ]
    )
    func `a strategy is written as it is read`(_ text: String) throws { #expect(try Strategy(text).text == text) }

    @Test func `a strategy that was asked for is not tried again`() async throws {
        let outcomes = [
            SampleReport.outcome(
                0,
                requests: 9,
                body: 10_000,
                causes: Self.tally([(.overFetched, 4_000), (.again, 6_000)])
            ),
            SampleReport.outcome(2, requests: 9, body: 6_000, causes: Self.tally([(.needed, 6_000)])),
        ]
        let found = try await FindingSearch(on: .default) { strategy in
            switch strategy.name {
            case "all-images+memory": return 5_000
            case "thumbnails:585x1170+memory+disk": return 4_000
            default:
                Issue.record("\(strategy.name) is tried")
                return 0
            }
        }.outcomesWithFindings(outcomes)
        #expect(found[0].findings.map(\.cause) == [.again, .overFetched])
        #expect(found[0].findings[0].remedy == Finding.Remedy(strategy: "all-images+memory", byteCount: 5_000))
        #expect(found[0].findings[1].remedy == Finding.Remedy(strategy: "thumbnails", byteCount: 6_000))
        let all = Finding.Remedy(strategy: "thumbnails:585x1170+memory+disk", byteCount: 4_000)
        #expect(found[0].remedyOfAll == all)
        #expect(found[1].findings.isEmpty && found[1].remedyOfAll == nil)
    }

    @Test func `what cannot be had is not recommended`() async throws {
        let outcomes = [SampleReport.outcome(2, requests: 9, body: 10, causes: Self.tally([(.oversized, 10)]))]
        let found = try await FindingSearch(on: .default) { _ in nil }.outcomesWithFindings(outcomes)
        #expect(found[0].findings.map(\.remedy) == [nil])
    }

    @Test func `what does not help is not recommended`() async throws {
        let outcomes = [SampleReport.outcome(2, requests: 9, body: 10, causes: Self.tally([(.again, 10)]))]
        let found = try await FindingSearch(on: .default) { _ in 10 }
            .outcomesWithFindings(outcomes)
        #expect(found[0].findings.map(\.remedy) == [nil])
    }

    @Test func `the report tells what the baseline could do without`() async throws {
        var outcome = SampleReport.outcome(
            0,
            requests: 9,
            body: 10_000_000,
            causes: Self.tally([(.overFetched, 4_000_000), (.needed, 6_000_000)])
        )
        outcome.findings = Finding.all(in: try #require(outcome.simulated?.causes))
        outcome.findings[0].remedy = Finding.Remedy(strategy: "thumbnails", byteCount: 5_000_000)
        outcome.remedyOfAll = Finding.Remedy(strategy: "thumbnails+disk", byteCount: 1_000_000)
        let text = """

            strategy    needed  never opened
            --------------------------------
            all-images  6.0 MB        4.0 MB

            needed            images that were shown, loaded for the first time
            never opened      images of posts that the user never opened, but for the one in the list

            what all-images could do without

              Lists download further images of posts that were never opened: 4.0 MB (40.0 %), all of it on s. Load only the first
              image in the list, the others when a post is opened: thumbnails, 5.0 MB in all, 2.0x less
              (docs/refactorings.md#thumbnail-field, #second-fetch-on-open).
                top objects  o (4.0 MB)
                top pages    scroll s, page 1 (4.0 MB)

              All of it together: thumbnails+disk, 1.0 MB in all, 10.0x less.

            """
        let report = SampleReport.report([outcome])
        #expect(report.findingsText == text)
        #expect(report.bestText == "best: thumbnails+disk, 10.0x less than all-images")
    }
}
