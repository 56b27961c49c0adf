// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LogImport

struct UnreadableLinesTests {
    private static let heading = #""time_micros","sc_bytes","cs_object""#

    private static func totals(_ lines: [String], _ format: LogFormat) throws -> LogTotals {
        let folder = TemporaryDirectory()
        try folder.write(Array(lines.joined(separator: "\n").utf8), to: "log")
        var (totals, recent) = (LogTotals(), RecentRequests())
        var reader = try LogReader(folder.file("log"), format: format)
        reader.skipsUnreadableLines = true
        try reader.read(into: &totals, recent: &recent)
        return totals
    }

    @Test(
        arguments: [
            "garbage", #""x","1","o""#, #""1","2","an open quote"#, #""1","2""#, #""1","2","o","more""#, #"""#,
            "\u{0}\u{1}", ",,,",
        ]
    )
    func `a line of a usage log that is wrong costs no other`(_ bad: String) throws {
        let row = #""5","10","o""#
        let totals = try Self.totals([Self.heading, row, bad, row, bad, row], .usageCSV)
        #expect(totals.total == (3, 30))
        #expect(totals.figures.unreadable.count == 2)
        #expect(totals.figures.unreadable.samples.map(\.beginning) == [bad])
    }

    @Test func `lines of an access log that are wrong are counted, and their beginnings shown without queries`() throws
    {
        let line = #"1.2.3.4 - - [10/Oct/2026:13:55:36 +0000] "GET /b/o?alt=media HTTP/1.1" 200 10 "-" "A""#
        let bad = ["d", "c", "GET /b/o?token=secret", "b", String(repeating: "a", count: 100)]
        let unreadable = try Self.totals([line] + bad + [line], .access(.combined)).figures.unreadable
        #expect(unreadable.count == 5)
        #expect(unreadable.samples.map(\.beginning) == ["GET /b/o…", String(repeating: "a", count: 60) + "…", "b"])
        #expect(unreadable.sentence?.hasPrefix("5 lines that are not of the format, passed over, such as 'GET") == true)
    }

    @Test func `parts have the samples of the whole`() {
        let lines = ["d", "b", "a", "c", "a"].map { text in
            Array(text.utf8).withUnsafeBufferPointer { UnreadableLine($0) }
        }
        var (whole, first, second) = (UnreadableLines(), UnreadableLines(), UnreadableLines())
        for line in lines { whole.add(line) }
        for line in lines.prefix(2) { second.add(line) }
        for line in lines.dropFirst(2) { first.add(line) }
        first.add(second)
        #expect(first == whole)
        #expect(whole.count == 5 && whole.samples.map(\.beginning) == ["a", "b", "c"])
    }
}
