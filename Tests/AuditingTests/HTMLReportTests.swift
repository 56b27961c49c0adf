// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Metering
import Testing

@testable import Auditing
@testable import SessionLog

struct HTMLReportTests {
    @Test func `what comes from elsewhere is text, and never a tag`() throws {
        var strategy = Strategy(name: "<script>alert('x')</script>", mode: .allImages)
        strategy.concurrentLoadCountMax = 1
        let outcome = SampleReport.outcome(0, requests: 1, body: 1_000)
        let named = StrategyOutcome(
            strategy: strategy,
            usage: outcome.usage,
            billed: outcome.billed,
            counts: outcome.counts
        )
        let page = try SampleReport.report([named]).text(as: .html)
        #expect(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"))
        #expect(!page.contains("<script"))
    }

    @Test func `a report without a simulation has bars and prices, but no empty charts`() throws {
        let page = try SampleReport.usual.text(as: .html)
        #expect(page.contains("<h2>Bytes by strategy, and why</h2>"))
        #expect(page.contains("<h2>What a month costs</h2>"))
        for missing in ["could do without</h2>", "class=\"chart\"", "class=\"fall\"", "How long users wait"] {
            #expect(!page.contains(missing))
        }
        #expect(page.contains("profile spark-2023 as of 2026-02-03"))
    }

    @Test(arguments: [(0, "0.000%"), (0.5, "50.000%"), (1, "100.000%"), (0.123456, "12.346%"), (-0.001, "-0.100%")])
    func `shares are written in thousandths of a percent`(_ share: Double, _ text: String) {
        #expect(HTML.percent(share) == text)
    }

    @Test func `the best combination and the bill come first`() throws {
        let page = try SampleReport.usual.text(as: .html)
        let places = ["6.0x less", "with the best combination", "What a month costs", "Bytes by strategy"].map {
            page.range(of: $0)?.lowerBound
        }
        #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted())
    }

    @Test func `a cause leads to its screens, and a screen to its objects`() throws {
        var causes = CauseTally()
        for (screen, object, byteCount) in [
            ("popular", "a", 3_000_000), ("popular", "b", 1_000_000), ("latest", "a", 500_000),
        ] {
            let place = CauseTally.Place(page: "scroll \(screen), page 1", screen: screen)
            causes.add(byteCount, cause: .again, object: object, at: place)
        }
        let page = try SampleReport.report([SampleReport.outcome(0, requests: 3, body: 4_500_000, causes: causes)])
            .text(as: .html)
        let texts = [
            "downloaded again</span>", "popular</span>", "<td>a</td><td>3.0 MB</td>", "latest</span>",
            "<td>0.5 MB</td>",
        ]
        var rest = page[...]
        for text in texts {
            let range = try #require(rest.range(of: text), "\(text)")
            rest = rest[range.upperBound...]
        }
    }

    @Test(arguments: [("a+b", "a+<wbr>b"), ("1 + 2 of 3", "1 + 2 of 3"), ("<+>", "&lt;+<wbr>&gt;"), ("", "")])
    func `a strategy may be broken after each of its parts`(_ text: String, _ html: String) {
        #expect(HTML.breakable(text).source == html)
    }

    @Test(
        arguments: [
            (0, ["0 ms", "1 ms"]), (900_000, ["0 ms", "1 ms"]),
            (9_000_000, ["0 ms", "2 ms", "4 ms", "6 ms", "8 ms", "10 ms"]),
            (1_250_000_000, ["0 ms", "500 ms", "1,000 ms", "1,500 ms"]),
            (10_900_000_000, ["0.0 s", "2.0 s", "4.0 s", "6.0 s", "8.0 s", "10.0 s", "12.0 s"]),
        ] as [(Int64, [String])]
    )
    func `a time axis has round steps of one unit`(_ nanoseconds: Int64, _ ticks: [String]) {
        let axis = TimeAxis(through: nanoseconds)
        #expect(axis.ticks == ticks)
        #expect(axis.end >= nanoseconds)
    }

    @Test func `a line of a chart goes through its points, upwards`() {
        let line = LineChart.Line(name: "a", points: [(0, 1), (0.5, 0.25), (1, 0)])
        let chart = LineChart(title: "t", xTitle: "size", yTitle: "misses", lines: [line], xTicks: [], yTicks: [])
        #expect(chart.html.source.contains("points=\"0,0 500,750 1000,1000\""))
        #expect(chart.html.source.contains(">size</p>") && chart.html.source.contains(">misses</p>"))
    }
}

struct WaterfallTests {
    private static func users(_ actions: [(String, SessionView.Action)]) -> [UserViews] {
        UserViews.users(of: ScriptedSession.log(actions.map { (client: $0.0, action: $0.1) }).views)
    }

    @Test func `the first list is drawn, and its user's first return to a list`() {
        let users = Self.users([
            ("a", .relaunch), ("a", .openFeed(.popular, page: 0)), ("b", .openFeed(.popular, page: 0)),
            ("a", .switchTab(.latest)), ("a", .scroll(.latest, page: 1)), ("a", .switchTab(.popular)),
            ("a", .switchTab(.latest)),
        ])
        #expect(TracedViews(of: users)?.numbers == [2, 6])
        #expect(TracedViews(of: UserViews.users(of: ScriptedSession.log().views))?.numbers == [1])
        #expect(TracedViews(of: Self.users([("a", .relaunch)])) == nil)
    }
}

struct FreeAmountTests {
    private static func report(_ bodies: [Int64], profile: PriceProfile) -> ReplayReport {
        let outcomes = zip([0, 4], bodies).map { SampleReport.outcome($0, requests: 1, body: $1) }
        return ReplayReport(
            session: SampleReport.usual.session,
            profile: profile,
            dailyUserCount: 1_000,
            outcomes: outcomes
        )
    }

    @Test(
        arguments: [
            // Of two users on a day, by a thousand: 500 times as many bytes of 1 GB.
            (1_000_000, "lasts all day, 50.0 % used", true), (2_000_000, "lasts all day, 100.0 % used", true),
            (4_000_000, "lasts 12 hours of a day; enough for 500 daily users", false),
            (800_000_000, "lasts 3 minutes of a day; enough for 2 daily users", false),
            (2_000_000_000, "lasts 1 minute of a day; enough for 1 daily user", false),
        ] as [(Int64, String, Bool)]
    )
    func `what is free by the day is enough, or for how many users`(
        _ body: Int64,
        _ text: String,
        _ isEnough: Bool
    ) throws {
        let amounts = FreeAmount.all(in: Self.report([body], profile: .spark2023))
        let downloads = try #require(amounts.first { $0.title == "1 GB of downloads a day" })
        #expect(downloads.lines == [FreeAmount.Line(strategy: "all-images", text: text, isEnough: isEnough)])
    }

    @Test(
        arguments: [
            (1_000_000, "lasts all month, 14.0 % used"), (20_000_000, "lasts 10 days"),
            (400_000_000, "lasts less than a day"),
        ] as [(Int64, String)]
    )
    func `what is free by the month lasts a number of days`(_ body: Int64, _ text: String) throws {
        let report = Self.report([body, 1_000_000], profile: try PriceProfile(named: "blaze-firebasestorage-app"))
        let downloads = try #require(FreeAmount.all(in: report).first { $0.title == "100 GiB of downloads a month" })
        #expect(downloads.lines.map(\.text) == [text] + (body > 1_000_000 ? ["lasts all month, 14.0 % used"] : []))
    }
}
