// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The waterfall of a view: a lane for each thing, from the user's touch on.
struct WaterfallChart {
    /// Rows beyond these are counted, not drawn.
    static let rowCountMax = 32

    let waterfall: Waterfall
    /// The time axis of the lanes.
    let axis: TimeAxis

    var html: HTML {
        let rows = waterfall.rows.prefix(Self.rowCountMax).map(row)
        let rest = waterfall.rows.count - rows.count
        let more: HTML = rest > 0 ? "<p class=\"soft\">and \(rest) more</p>" : ""
        return "<div class=\"fall\" style=\"--step:\(axis.step)\">\n\(axis.html)\n\(HTML.join(rows))\n</div>\(more)"
    }

    /// The meaning of the colors.
    static let legend = StackedBars.legend([
        ("rule", "waits for its turn"), ("documents", "waits for the server"), ("needed", "arrives"),
        ("s1", "documents arrive"), ("s3", "read from disk"), ("s4", "found in memory"),
    ])

    private func row(_ row: Waterfall.Row) -> HTML {
        let bars: [HTML]
        switch row.source {
        case .memory: bars = [bar(row.asked, to: row.end, color: "s4")]
        case .disk: bars = [bar(row.sent, to: row.end, color: "s3")]
        case .query, .lookup, .network:
            bars = [
                bar(row.asked, to: row.sent, color: "rule"), bar(row.sent, to: row.ready, color: "documents"),
                bar(row.ready, to: row.end, color: row.source == .network ? "needed" : "s1"),
            ]
        }
        let end = Figure.milliseconds(Double(row.end) / 1_000_000, largest: Double(axis.end) / 1_000_000)
        return """
            <div class="row"><span class="name" title="\(row.name)">\(row.name)</span><span class="lane">\
            \(HTML.join(bars, separator: ""))</span><span class="end">\(end)</span></div>
            """
    }

    private func bar(_ start: Int64, to end: Int64, color: String) -> HTML {
        guard end >= start, end > start || color == "s4" else { return "" }
        let (left, width) = (Double(start) / Double(axis.end), Double(end - start) / Double(axis.end))
        return """
            <i style="left:\(HTML.percent(left));width:\(HTML.percent(width));background:var(--\(color))"></i>
            """
    }
}

/// The axis of a waterfall: from 0 to a round time, in round steps.
struct TimeAxis: Sendable, Hashable {
    /// Nanoseconds at its end.
    let end: Int64
    private let stepCount: Int64

    /// Creates an axis that is long enough for a time.
    init(through time: Int64) {
        let rough = max(1, time) / 6
        var step: Int64 = 1_000_000
        var factors: [Int64] = [2, 5, 10]
        var decade = step
        while step < rough {
            step = decade * factors.removeFirst()
            if factors.isEmpty { (factors, decade) = ([2, 5, 10], step) }
        }
        stepCount = max(1, (time + step - 1) / step)
        end = step * stepCount
    }

    /// The texts of its ticks, from 0 on.
    var ticks: [String] {
        let last = Double(end) / 1_000_000
        return (0...stepCount).map { Figure.milliseconds(last * Double($0) / Double(stepCount), largest: last) }
    }

    /// The distance of two ticks, as CSS has it.
    fileprivate var step: String { HTML.percent(1 / Double(stepCount)) }

    fileprivate var html: HTML {
        let labels = ticks.enumerated().map { number, text -> HTML in
            "<span style=\"left:\(HTML.percent(Double(number) / Double(stepCount)))\">\(text)</span>"
        }
        return
            "<div class=\"row\"><div></div><div class=\"ticks\">\(HTML.join(labels, separator: ""))</div><div></div></div>"
    }
}
