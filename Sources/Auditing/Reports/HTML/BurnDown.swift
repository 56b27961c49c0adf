// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// How what is free of the downloads goes down: by the day over the log's day with most of them, as its users browse; by the
/// month over the days of a month, for the daily users of the report.
struct BurnDown {
    private static let minutesPerDay: Int64 = 1_440

    /// A description of the chart, in a sentence.
    let note: String
    let chart: LineChart

    /// `nil` where the profile gives no downloads for free, or nothing was simulated.
    init?(of report: ReplayReport) {
        guard let free = report.profile.charges.first(where: { $0.item == .storageEgressBytes })?.free else {
            return nil
        }
        let outcomes = report.outcomes.filter { $0.simulated != nil }
        guard let baseline = outcomes.first else { return nil }
        switch free.period {
        case .day:
            let day = Self.worstDay(of: baseline)
            note =
                "What is left of the \(Figure.size(free.amount)) that are free each day, as the \(report.clientCount) users of "
                + "the log browse" + (report.dayCount > 1 ? " on its day \(day + 1)" : "")
                + "; profile \(report.profile.name) "
                + "as of \(report.profile.asOf)."
            let series = outcomes.map { Self.minutes($0.simulated?.downloadsByMinute ?? [:], of: day) }
            let last = max(1, series.compactMap { $0.last?.minute }.max() ?? 1)
            chart = LineChart(
                title: note,
                lines: zip(outcomes, series).map { outcome, minutes in
                    LineChart.Line(
                        name: outcome.strategy.name,
                        points: Self.line(minutes, last: last, free: free.amount)
                    )
                },
                xTicks: Self.ticks(last) { Self.clock($0) },
                yTicks: Self.shares
            )
        case .month:
            note =
                "What is left of the \(Figure.size(free.amount)) that are free each month, with "
                + "\(Figure.count(report.dailyUserCount)) daily users who do as the log's; profile \(report.profile.name) as of "
                + "\(report.profile.asOf)."
            chart = LineChart(
                title: note,
                lines: outcomes.map { outcome in
                    let quota = report.forecast(outcome).quotas.first { $0.item == .storageEgressBytes }
                    return LineChart.Line(name: outcome.strategy.name, points: Self.line(percent: quota?.percent ?? 0))
                },
                xTicks: Self.ticks(Forecast.daysPerMonth) { "day \($0)" },
                yTicks: Self.shares
            )
        }
    }

    private static let shares = [0.0, 0.25, 0.5, 0.75, 1].map { LineChart.Tick(place: $0, text: "\(Int(100 * $0)) %") }

    /// The day of the log on which most is downloaded, from 0.
    private static func worstDay(of outcome: StrategyOutcome) -> Int64 {
        var days: [Int64: Int64] = [:]
        for (minute, byteCount) in outcome.simulated?.downloadsByMinute ?? [:] {
            days[minute / minutesPerDay, default: 0] += byteCount
        }
        return days.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
    }

    private static func minutes(_ all: [Int64: Int64], of day: Int64) -> [(minute: Int64, byteCount: Int64)] {
        all.filter { $0.key / minutesPerDay == day }.map { ($0.key % minutesPerDay, $0.value) }.sorted { $0.0 < $1.0 }
    }

    /// The rest after each minute.
    private static func line(
        _ minutes: [(minute: Int64, byteCount: Int64)],
        last: Int64,
        free: Int64
    ) -> [(x: Double, y: Double)] {
        var points = [(x: 0.0, y: 1.0)]
        var used: Int64 = 0
        for (minute, byteCount) in minutes {
            used += byteCount
            points.append((Double(minute) / Double(last), max(0, 1 - Double(used) / Double(free))))
        }
        return points + [(1, points[points.count - 1].y)]
    }

    /// The rest when this share is used evenly.
    private static func line(percent: Double) -> [(x: Double, y: Double)] {
        guard percent > 100 else { return [(0, 1), (1, 1 - percent / 100)] }
        return [(0, 1), (100 / percent, 0), (1, 0)]
    }

    private static func ticks(_ last: Int64, _ text: (Int64) -> String) -> [LineChart.Tick] {
        (0...4).map { LineChart.Tick(place: Double($0) / 4, text: text(last * $0 / 4)) }
    }

    /// `2 h 05 min` since the day of the log began.
    private static func clock(_ minute: Int64) -> String {
        minute < 60 ? "\(minute) min" : "\(minute / 60) h \(minute % 60 < 10 ? "0" : "")\(minute % 60)"
    }
}
