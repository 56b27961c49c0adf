// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import TestSupport
import Testing
import TinyFeed

@testable import Auditing

struct ReportComparisonTests {
    private static func report(_ body: Int64, _ second: Int) -> ReplayReport {
        SampleReport.report([
            SampleReport.outcome(0, requests: 10, body: body), SampleReport.outcome(second, requests: 10, body: 1_000),
        ])
    }

    /// A report that is compared with a former one in a file.
    private static func compared(_ report: ReplayReport, to former: ReplayReport) throws -> ReplayReport {
        let directory = TemporaryDirectory()
        try directory.write(try former.json().utf8, to: "former.json")
        var report = report
        try report.decide(by: nil, comparedTo: FormerReport(directory.file("former.json")))
        return report
    }

    @Test func `what changed is told with its sign and ratio`() throws {
        let report = try Self.compared(Self.report(30_000_000, 1), to: Self.report(40_000_000, 2))
        let comparison = try #require(report.comparison)
        let change = try #require(comparison.shownChanges.first)
        #expect((change.strategy, change.figure) == ("all-images", "bytes.body"))
        #expect(change.cells == ["40.0 MB", "30.0 MB", "-10.0 MB", "0.75x"])
        #expect(comparison.added == ["all-images+memory"])
        #expect(comparison.gone == ["thumbnails"])
        #expect(report.table.contains("all-images  bytes.body  40.0 MB  30.0 MB  -10.0 MB  0.75x\n"))
        #expect(report.table.contains("thumbnails is not there any more\n"))
        #expect(report.markdown.contains("| `all-images` | bytes.body | 40.0 MB | 30.0 MB | -10.0 MB | 0.75x |\n"))
        #expect(try report.json().contains(#""ratio" : 0.75"#))
    }

    @Test func `the same report has no changes`() throws {
        let report = try Self.compared(Self.report(30_000_000, 1), to: Self.report(30_000_000, 1))
        #expect(report.comparison?.changes.isEmpty == true)
        #expect(report.table.hasSuffix("\nno figure changed\n"))
    }

    @Test func `circumstances that differ are named`() throws {
        let outcomes = [SampleReport.outcome(0, requests: 10, body: 1_000)]
        let former = SampleReport.report(outcomes)
        let other = ReplayReport(
            session: former.session,
            profile: try PriceProfile(named: "blaze-appspot"),
            network: try Network(named: "lte"),
            outcomes: outcomes
        )
        let report = try Self.compared(other, to: former)
        #expect(report.comparison?.differences == ["profile: blaze-appspot, formerly spark-2023"])
        #expect(report.table.contains("not of the same circumstances: profile: blaze-appspot, formerly spark-2023\n"))
        #expect(try report.json().contains(#""profile: blaze-appspot, formerly spark-2023""#))
    }

    @Test func `a change that tables do not show is told, and one that only one report tells`() throws {
        let former = SampleReport.report([SampleReport.outcome(0, requests: 10, body: 1_000)])
        let report = try Self.compared(
            SampleReport.report([SampleReport.outcome(0, requests: 10, body: 1_000, hits: 3)]),
            to: former
        )
        let changed = report.comparison?.changes.map(\.figure) ?? []
        #expect(changed.contains("cache.hits"))
        #expect(report.table.hasSuffix("other figures changed; the form json has all\n"))
        #expect(!report.table.contains("no figure changed"))
        #expect(report.markdown.contains("other figures changed"))
    }

    @Test func `what was nothing has no ratio`() throws {
        let report = try Self.compared(Self.report(5_000_000, 1), to: Self.report(0, 1))
        #expect(report.comparison?.shownChanges.first?.cells == ["0.0 kB", "5.0 MB", "+5.0 MB", "-"])
    }

    @Test(arguments: [
        ("{}", "'schema' must be 'firemeter.report/1'"), (#"{"schema":"firemeter.report/1"}"#, "strategies"),
    ])
    func `what is no report is refused`(_ json: String, _ message: String) throws {
        let directory = TemporaryDirectory()
        try directory.write(json.utf8, to: "former.json")
        let error = #expect(throws: AuditError.self) { try FigureSet.read(reportAt: directory.file("former.json")) }
        #expect(error?.description.contains(message) == true)
    }
}
