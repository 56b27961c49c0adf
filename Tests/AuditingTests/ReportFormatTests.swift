// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import TinyFeed

@testable import Auditing

#if canImport(FoundationXML)
import FoundationXML
#endif

struct ReportFormatTests {
    @Test(
        arguments: [
            ("r.json", .json), ("a.b/r.html", .html), ("r.htm", .html), ("comment.md", .markdown),
            ("junit.xml", .junit),
            ("r.csv", .csv), ("r.txt", .table), ("r", nil), ("json", nil), ("a.json/r", nil),
        ] as [(String, ReportFormat?)]
    )
    func `the end of a file's name says the form`(_ path: String, _ format: ReportFormat?) {
        #expect(ReportFormat(path: path) == format)
    }

    @Test func `a table of values has a line for each strategy and a column for each figure`() throws {
        var outcome = SampleReport.outcome(0, requests: 10, body: 400_000, misses: 9)
        outcome = StrategyOutcome(
            strategy: try named("a \"b\", c"),
            usage: outcome.usage,
            billed: outcome.billed,
            counts: outcome.counts
        )
        let lines = SampleReport.report([outcome]).csv.split(separator: "\r\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("strategy,billed.classA,billed.classB,"))
        #expect(lines[1].hasPrefix(#""a ""b"", c",1,9,"#))
    }

    private func named(_ name: String) throws -> Strategy {
        var strategy = try Strategy("all-images")
        strategy.name = name
        return strategy
    }

    /// A report that a budget was compared with: one bound is kept by no strategy but the baseline.
    private func judged() throws -> ReplayReport {
        let directory = TemporaryDirectory()
        try directory.write(
            #"{"schema":"firemeter.budget/1","thresholds":{"doc_reads":["<=816"],"requests":[">2000"]}}"#.utf8,
            to: "b.json"
        )
        var report = SampleReport.usual
        try report.decide(by: try Budget(directory.file("b.json")), comparedTo: nil)
        return report
    }

    @Test func `a bound that is not kept is a test that fails`() throws {
        let xml = try judged().text(as: .junit)
        let parser = XMLParser(data: Data(xml.utf8))
        #expect(parser.parse())
        #expect(xml.contains("tests=\"4\" failures=\"2\""))
        #expect(xml.contains("<testcase classname=\"all-images+memory\" name=\"doc_reads &lt;=816\""))
        #expect(xml.contains("<failure message=\"requests of all-images+memory: 1,590, not &gt;2000\"/>"))
    }

    @Test func `without a budget there are no tests`() {
        let error = #expect(throws: AuditError.self) { try SampleReport.usual.text(as: .junit) }
        #expect(error?.exitCode == 64)
    }

    @Test func `bounds that are not kept are told with their place`() throws {
        let breaches = try judged().breaches
        #expect(breaches.count == 2)
        #expect(breaches[0].hasSuffix("b.json, line 1: requests of all-images+memory: 1,590, not >2000"))
        #expect(SampleReport.usual.breaches.isEmpty)
    }

    @Test func `a comment on a pull request bears a tag that a bot can find`() throws {
        let text = try judged().markdown
        #expect(text.hasPrefix("<!-- audit:session.log -->\n### Downloads of session.log\n"))
        #expect(text.contains("| `thumbnails+memory+disk` | 157.4 MB | 6.0x less | 524 | 816 |\n"))
        #expect(text.contains("#### Budget: 2 of 4 bounds kept\n"))
        #expect(text.contains("profile spark-2023 as of 2026-02-03"))
    }

    @Test(arguments: [("a|b", "a\\|b"), ("<b>", "&lt;b&gt;"), ("a\nb", "a b")])
    func `a cell of Markdown stays one`(_ text: String, _ cell: String) { #expect(text.markdownCell == cell) }

    @Test func `text in XML is only text`() {
        #expect("<a href=\"x\">&'\u{1}\n".escapedForXML == "&lt;a href=&quot;x&quot;&gt;&amp;&#39; ")
    }
}
