// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
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

    @Test func `a line of a chart goes through its points, upwards`() {
        let line = LineChart.Line(name: "a", points: [(0, 1), (0.5, 0.25), (1, 0)])
        let chart = LineChart(title: "t", lines: [line], xTicks: [], yTicks: [])
        #expect(chart.html.source.contains("points=\"0,0 500,750 1000,1000\""))
    }
}

struct WaterfallTests {
    private static func log(_ actions: [(String, SessionView.Action)]) -> SessionLog {
        ScriptedSession.log(actions.map { (client: $0.0, action: $0.1) })
    }

    @Test func `the first list is drawn, and its user's first return to a list`() {
        let log = Self.log([
            ("a", .relaunch), ("a", .openFeed(.popular, page: 0)), ("b", .openFeed(.popular, page: 0)),
            ("a", .switchTab(.latest)), ("a", .scroll(.latest, page: 1)), ("a", .switchTab(.popular)),
            ("a", .switchTab(.latest)),
        ])
        #expect(TracedViews(of: log)?.numbers == [2, 6])
        #expect(TracedViews(of: ScriptedSession.log())?.numbers == [1])
        #expect(TracedViews(of: Self.log([("a", .relaunch)])) == nil)
    }
}

struct BurnDownTests {
    private static func report(_ minutes: [Int64: Int64], profile: PriceProfile = .spark2023) -> ReplayReport {
        let usual = SampleReport.outcome(0, requests: 1, body: 600_000_000)
        let outcome = StrategyOutcome(
            strategy: usual.strategy,
            usage: usual.usage,
            billed: usual.billed,
            counts: usual.counts,
            simulated: SimulatedFigures(downloadsByMinute: minutes)
        )
        let session = SessionLog(
            header: SessionHeader(createdAt: LogTime(microseconds: 0)),
            views: [SessionView(atMilliseconds: 3 * 86_400_000, client: "a", action: .relaunch)],
            requestCount: 0,
            skippedLineCount: 0
        )
        return ReplayReport(
            session: AuditedSession(session, from: "l"),
            profile: profile,
            dailyUserCount: 1_000,
            outcomes: [outcome]
        )
    }

    private static func points(_ chart: LineChart?) -> [[Double]] {
        chart?.lines.first?.points.map { [$0.x, ($0.y * 1_000).rounded() / 1_000] } ?? []
    }

    @Test func `what is free by the day goes down with each minute of the day with most downloads`() throws {
        let minutes: [Int64: Int64] = [5: 100_000_000, 1_440: 400_000_000, 1_450: 200_000_000, 1_460: 900_000_000]
        let burnDown = try #require(BurnDown(of: Self.report(minutes)))
        #expect(Self.points(burnDown.chart) == [[0, 1], [0, 0.6], [0.5, 0.4], [1, 0], [1, 0]])
        #expect(burnDown.note.contains("the 1 GB that are free each day"))
        #expect(burnDown.note.contains("on its day 2"))
    }

    @Test func `what is free by the month runs out on a day of it`() throws {
        let profile = try PriceProfile(named: "blaze-firebasestorage-app")
        let burnDown = try #require(BurnDown(of: Self.report([0: 1], profile: profile)))
        // 150 MB of a user's day, of 1,000 users: 4,500 GB of 100 GB a month.
        #expect(Self.points(burnDown.chart).map(\.[1]) == [1, 0, 0])
        #expect(burnDown.note.contains("free each month, with 1,000 daily users"))
    }

    @Test func `without a simulation there is nothing to draw`() {
        #expect(BurnDown(of: SampleReport.usual) == nil)
    }
}
