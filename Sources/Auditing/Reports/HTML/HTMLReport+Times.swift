// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension HTMLReport {
    var waterfallSection: HTML? {
        guard let first = report.nearest, let best = StrategyOutcome.best(of: report.outcomes) else {
            return nil
        }
        let drawn = first.strategy == best.strategy ? [first] : [first, best]
        let views = first.simulated?.waterfalls ?? []
        guard !views.isEmpty else { return nil }
        let charts = views.map { view -> HTML in
            let falls = drawn.compactMap { outcome in
                outcome.simulated?.waterfalls.first { $0.isReturn == view.isReturn }.map { (outcome.strategy.name, $0) }
            }
            let axis = TimeAxis(through: falls.flatMap { $0.1.rows.map(\.end) }.max() ?? 1)
            let parts = falls.map { name, fall -> HTML in
                "<h3>\(fall.time), \(fall.screen): \(name)</h3>\n\(WaterfallChart(waterfall: fall, axis: axis).html)"
            }
            return HTML.join(parts)
        }
        return .section(
            "Loading timeline",
            note:
                "Time from the user's touch on, for the log's first list and its user's first return to a list, on "
                + "\(report.networkTitle); modelled.",
            content: HTML.folded(
                "Timeline of \(Figure.counted(Int64(charts.count), noun: "view"))",
                content: "\(WaterfallChart.legend)\n\(HTML.join(charts))"
            )
        )
    }

    var timesSection: HTML? {
        let cells = report.cells(ReportColumn.times)
        guard cells.heading.count > 1 else { return nil }
        return .section(
            "How long users wait",
            note:
                "Until the cells are laid out, the first image is there, and all are: the median of the views, and what 95 % of "
                + "them do not exceed, on \(report.networkTitle); modelled.",
            content: HTML.table(cells.heading, rows: cells.rows)
        )
    }
}

extension Waterfall {
    /// When the view was shown: `At 3:20`, in minutes and seconds of the session.
    fileprivate var time: String {
        let seconds = max(0, atMilliseconds) / 1_000
        return "At \(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }
}
