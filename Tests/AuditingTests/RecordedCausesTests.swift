// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LogImport
import Metering
import SessionAudit
import Testing

@testable import Auditing
@testable import SessionLog

struct RecordedCausesTests {
    private static let posts = SessionDownloads.Place.list("posts", page: 0)

    private static func line(
        _ cause: String,
        _ byteCount: Int64,
        at place: SessionDownloads.Place = posts,
        of object: String? = "o",
        responses: Int64 = 1,
        pixelWidth: Int? = nil
    ) -> SessionDownloads {
        SessionDownloads(
            cause: cause,
            place: place,
            object: object,
            pixelWidth: pixelWidth,
            byteCount: byteCount,
            responseCount: responses,
            documentReads: cause == "documents" ? 7 : 0
        )
    }

    /// What really happened, with some bytes that no view explains.
    private static func outcome(_ lines: [SessionDownloads], other: Int64 = 500) throws -> StrategyOutcome {
        let usage = try #require(RecordedUsage(imported(lines, other: other)))
        return StrategyOutcome(recorded: usage, on: DisplaySizes(screenWidth: 400, columnCount: 2))
    }

    private static func imported(_ lines: [SessionDownloads], other: Int64 = 500) -> SessionHeader.Imported {
        func sum(_ byteCount: Int64) -> [UsageAttribution.Service: UsageTotals] {
            let sent = TransferredBytes(header: 0, body: byteCount, wire: byteCount)
            return [.storage: UsageTotals(requests: 0, received: .zero, sent: sent, billed: .zero)]
        }
        let total = lines.reduce(other) { $0 + $1.byteCount }
        return SessionHeader.Imported(
            downloadCount: 9,
            byteCount: total,
            assumptions: ["a"],
            explained: nil,
            usage: SessionHeader.Imported.Usage(total: sum(total), other: sum(other), downloads: lines)
        )
    }

    /// Each cause once, most of it downloaded again.
    private static let lines = [
        line("documents", 100, of: nil), line("listed", 1_000, responses: 2, pixelWidth: 400),
        line("opened", 2_000, at: .openedPost, pixelWidth: 400), line("overFetched", 3_000), line("again", 9_000),
        line("revalidated", 0), line("aborted", 50), line("failed", 60, at: .withoutList),
    ]

    @Test func `recorded causes are those of simulations, and sum to the bytes of views`() throws {
        let outcome = try Self.outcome(Self.lines)
        let causes = try #require(outcome.causes)
        // Shown in a list at half their width, two images of 500 bytes need 125 each.
        let expected: [DownloadCause: Int64] = [
            .needed: 2_250, .oversized: 750, .overFetched: 3_000, .again: 9_000, .aborted: 50, .failed: 60,
            .documents: 100,
        ]
        for cause in DownloadCause.allCases {
            #expect(causes.amount(of: cause).byteCount == expected[cause] ?? 0, "\(cause)")
        }
        #expect(causes.byteCount == outcome.usage.sent.body - 500)
        #expect(outcome.otherByteCount == 500)
    }

    @Test func `recorded screens have bytes, responses and reads, and neither views nor hits`() throws {
        let outcome = try Self.outcome(Self.lines)
        #expect(
            outcome.screens.mapValues(\.byteCount) == [
                "posts": 13_150, "opened posts": 2_000, "posts without a list": 60,
            ]
        )
        #expect(outcome.documentReadsByScreen == ["posts": 7, "opened posts": 0, "posts without a list": 0])
        #expect(outcome.causes?.topPages(of: .again, atMost: 1).first?.name == "posts, page 0")
        let json = try SampleReport.report([outcome]).json()
        #expect(
            json.contains(#""screen" : "posts""#) && !json.contains(#""views" : 0"#) && !json.contains("memoryHits")
        )
    }

    @Test func `a cause of a later version is not explained`() throws {
        let outcome = try Self.outcome([Self.line("teleported", 70), Self.line("again", 30)])
        #expect(outcome.causes?.byteCount == 30)
        #expect(outcome.otherByteCount == 570)
    }

    @Test func `without recorded causes, findings are those of the nearest strategy`()
        async throws
    {
        let recorded = try Self.outcome([], other: 6_500)
        #expect(recorded.causes == nil)
        let outcomes = [recorded] + Self.simulated
        let report = SampleReport.report(try await FindingSearch(on: nil) { _ in nil }.outcomesWithFindings(outcomes))
        #expect(report.examined?.strategy.name == "thumbnails")
        #expect(report.examinedHeading("What") == "What thumbnails, nearest to what was recorded, could do without")
    }

    /// A strategy that loads again what another keeps, and one that loads less.
    private static let simulated = [
        SampleReport.outcome(0, requests: 9, body: 20_000, causes: tally([.overFetched: 10_000, .again: 10_000])),
        SampleReport.outcome(2, requests: 9, body: 6_000, causes: tally([.needed: 1_000, .again: 5_000])),
    ]

    private static func tally(_ amounts: [DownloadCause: Int]) -> CauseTally {
        var tally = CauseTally()
        for cause in DownloadCause.allCases {
            guard let byteCount = amounts[cause] else { continue }
            tally.add(
                byteCount,
                cause: cause,
                object: "o",
                at: CauseTally.Place(page: "posts, page 0", screen: "posts")
            )
        }
        return tally
    }

    @Test(
        arguments: [
            // The nearest by causes is changed, or does without the cause already.
            ("again", 6_000, "thumbnails+memory", "Keep images in memory"),
            ("overFetched", 9_000, "thumbnails", "Load only the first image in the list"),
            // A strategy that downloads more than the recorded app avoids nothing.
            ("overFetched", 300, nil, "Load only the first image in the list"),
            ("aborted", 9_000, nil, nil), ("failed", 9_000, nil, nil),
        ] as [(String, Int64, String?, String?)]
    )
    func `findings are of what happened, and remedies of the nearest strategy`(
        _ cause: String,
        _ byteCount: Int64,
        _ remedy: String?,
        _ change: String?
    ) async throws {
        let recorded = try Self.outcome([Self.line("listed", 1_000), Self.line(cause, byteCount)])
        let search = FindingSearch(on: nil) { $0.name == "thumbnails+memory" ? 1_000 : 30_000 }
        let found = try await search.outcomesWithFindings([recorded] + Self.simulated)
        let report = SampleReport.report(found)
        #expect(report.examined?.isRecorded == true)
        let finding = try #require(found[0].findings.first)
        #expect(finding.cause.rawValue == cause && finding.amount.byteCount == byteCount)
        #expect(finding.remedy?.strategy == remedy)
        #expect(change.map(finding.sentence(in: found[0]).contains) ?? (finding.refactoring(in: found[0]) == nil))
        #expect(report.findingsText.contains("what the recorded app could do without"))
        #expect(report.findingsText.contains("other             what no view explains"))
    }

    /// Smaller copies are remedies only where a log says how many pixels its images have.
    @Test(arguments: [nil, SessionObject.Pixels(width: 3_000, height: 2_000)])
    func `parts of a log merge to the recorded row of the whole`(pixels: SessionObject.Pixels?) async throws {
        var header = SessionHeader(createdAt: LogTime(microseconds: 0))
        header.imported = Self.imported(Self.lines)
        let views = ["ann", "bob"].map { client in
            SessionView(atMilliseconds: 0, client: client, action: .showPosts(SessionView.ShownPosts(["posts/p"])))
        }
        let image = SessionImage(
            object: "o",
            byteCount: 500,
            place: SessionImage.Place(bucket: "b", post: "posts/p", index: 0),
            pixels: pixels
        )
        let whole = SessionLog(header: header, views: views, images: [image])
        let parts = try views.map { try Self.auditor(whole.with(views: [$0])) }
        var merged = try await parts[0].partialReport(on: [.baseline])
        try merged.add(try await parts[1].partialReport(on: [.baseline]), from: "part")
        var figures = try await parts[0].partialReport(on: [.baseline], withRemedies: false)
        try figures.add(try await parts[1].partialReport(on: [.baseline], withRemedies: false), from: "part")
        let needed = try await figures.needed()
        var remedies = try await parts[0].remedies(needed, on: [.baseline])
        try remedies.add(try await parts[1].remedies(needed, on: [.baseline]), from: "part")
        let result = try await Self.auditor(whole).result(of: [.baseline])
        let report = ReplayReport(session: AuditedSession(whole, from: "log"), outcomes: result.outcomes)
        #expect(try await merged.report(profile: .spark2023, dailyUserCount: nil).json() == report.json())
        let second = try await figures.report(profile: .spark2023, dailyUserCount: nil, remedies: remedies)
        #expect(try second.json() == report.json())
        #expect(try report.json().contains("thumbnails:") == (pixels != nil), "a copy of another size is a remedy")
        #expect(result.outcomes[0].causes?.amount(of: .again).byteCount == 9_000)
    }

    private static func auditor(_ session: SessionLog) throws -> SessionAuditor {
        try SessionAuditor(SessionSource(session), path: "log", mode: .simulate)
    }
}
