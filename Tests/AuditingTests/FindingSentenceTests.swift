// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import Testing

@testable import Auditing

struct FindingSentenceTests {
    /// A finding of 4 of 10 MB, most of them on popular.
    private static func outcome(
        _ cause: DownloadCause,
        strategy: String,
        shares: [String: Int]
    ) throws -> StrategyOutcome {
        var tally = CauseTally()
        for (screen, byteCount) in shares {
            tally.add(byteCount, cause: cause, object: "o", at: CauseTally.Place(page: screen, screen: screen))
        }
        tally.add(6_000_000, cause: .needed, object: "o", at: CauseTally.Place(page: "popular", screen: "popular"))
        var outcome = StrategyOutcome(
            strategy: try Strategy(strategy),
            usage: UsageTotals(
                requests: 1,
                received: .zero,
                sent: TransferredBytes(header: 0, body: 10_000_000, wire: 10_000_000),
                billed: .zero
            ),
            billed: ServiceUsage(),
            counts: ClientCounts(),
            simulated: SimulatedFigures(causes: tally)
        )
        outcome.findings = Finding.all(in: tally)
        outcome.findings[0].remedy = Finding.Remedy(strategy: "X", byteCount: 5_000_000)
        return outcome
    }

    @Test(
        arguments: [
            ("all-images", .overFetched, "Load only the first image", "docs/refactorings.md#thumbnail-field"),
            ("all-images", .again, "Keep images in memory", "docs/refactorings.md#image-caches"),
            ("all-images+memory", .again, "Keep images on disk, too", "docs/refactorings.md#image-caches"),
            ("all-images+memory+disk", .again, "Make the caches larger", "docs/refactorings.md#image-caches"),
            ("thumbnails", .oversized, "Load smaller copies", "docs/refactorings.md#resized-copies"),
            ("thumbnails+url-lookups", .lookups, "Keep each image's path", "docs/refactorings.md#download-urls"),
            ("thumbnails+prefetch:1MB", .prefetchedUnused, "Prefetch less", "docs/refactorings.md#prefetch"),
            (
                "thumbnails+revalidate", .revalidated, "Keep each image's generation",
                "docs/refactorings.md#revalidation"
            ),
            ("thumbnails", .failed, "Requests were refused", nil),
            ("thumbnails", .aborted, "Images were on their way", nil),
        ] as [(String, DownloadCause, String, String?)]
    )
    func `a finding names a change, and where it is shown in code`(
        _ strategy: String,
        _ cause: DownloadCause,
        _ change: String,
        _ document: String?
    ) throws {
        let outcome = try Self.outcome(cause, strategy: strategy, shares: ["popular": 4_000_000])
        let sentence = outcome.findings[0].sentence(in: outcome)
        #expect(sentence.contains(change))
        #expect(outcome.findings[0].refactoring(in: outcome)?.document == document)
        #expect(sentence.contains("X, 5.0 MB in all, 2.0x less (\(document ?? "")") == (document != nil))
        #expect(sentence.contains("4.0 MB (40.0 %)"))
    }

    @Test(
        arguments: [
            (["popular": 4], "all of it on popular"), (["popular": 3, "latest": 1], "most of it on popular"),
            (["popular": 2, "latest": 2], "50 % of it on latest"),
            (["popular": 1, "latest": 1, "new": 2], "50 % of it on new"),
        ]
    )
    func `the screen with most of it is named`(_ shares: [String: Int], _ whereabouts: String) throws {
        let outcome = try Self.outcome(.again, strategy: "all-images", shares: shares.mapValues { $0 * 1_000_000 })
        #expect(outcome.findings[0].problem.hasSuffix("(40.0 %), \(whereabouts)."))
    }

    @Test func `the best combination is that with the fewest bytes, whether replayed or tried`() throws {
        #expect(SampleReport.usual.bestText == "best: thumbnails+memory+disk, 6.0x less than all-images")
        #expect(SampleReport.report([SampleReport.outcome(0, requests: 1, body: 10)]).best == nil)
        #expect(SampleReport.report([]).bestText == nil)
        let tried = try Self.outcome(.again, strategy: "all-images", shares: ["popular": 4_000_000])
        #expect(SampleReport.report([tried]).bestText == "best: X, 2.0x less than all-images")
    }
}
