// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The waterfall of a view: a lane for each thing, from the user's touch on.
struct WaterfallChart {
    /// Rows beyond these are counted, not drawn.
    static let rowCountMax = 32

    let waterfall: Waterfall
    /// The time that the lanes' whole length stands for, in nanoseconds.
    let scale: Int64

    var html: HTML {
        let rows = waterfall.rows.prefix(Self.rowCountMax).map(row)
        let rest = waterfall.rows.count - rows.count
        let more: HTML = rest > 0 ? "<p class=\"soft\">and \(rest) more</p>" : ""
        return "<div class=\"fall\">\n\(HTML.join(rows))\n</div>\(more)"
    }

    /// The meaning of the colors.
    static let legend = StackedBars.legend([
        ("rule", "waits for its turn"), ("documents", "asked, and answered"), ("needed", "arrives"),
        ("s1", "documents arrive"), ("s3", "from disk"), ("s4", "from memory"),
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
        let end = Figure.milliseconds(Double(row.end) / 1_000_000)
        return """
            <div class="row"><span class="name" title="\(row.name)">\(row.name)</span><span class="lane">\
            \(HTML.join(bars, separator: ""))</span><span class="end">\(end)</span></div>
            """
    }

    private func bar(_ start: Int64, to end: Int64, color: String) -> HTML {
        guard end >= start, end > start || color == "s4" else { return "" }
        let (left, width) = (Double(start) / Double(max(1, scale)), Double(end - start) / Double(max(1, scale)))
        return """
            <i style="left:\(HTML.percent(left));width:\(HTML.percent(width));background:var(--\(color))"></i>
            """
    }
}
