// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Bars side by side, each of colored parts; a bar's length is its part of the longest.
struct StackedBars {
    /// A part of a bar.
    struct Part {
        /// The name of its color in the style sheet.
        let color: String
        let title: String
        let amount: Int64
    }

    /// A bar.
    struct Bar {
        let name: String
        let value: String
        let parts: [Part]
    }

    let bars: [Bar]

    var html: HTML {
        let longest = Double(max(1, bars.map { $0.parts.reduce(0) { $0 + $1.amount } }.max() ?? 1))
        let rows = bars.map { bar -> HTML in
            let parts = bar.parts.filter { $0.amount > 0 }.map { part -> HTML in
                let width = HTML.percent(Double(part.amount) / longest)
                return "<i style=\"width:\(width);background:var(--\(part.color))\" title=\"\(part.title)\"></i>"
            }
            return """
                <div class="bar"><span class="name">\(HTML.breakable(bar.name))</span><span class="track">\(HTML.join(parts, separator: ""))\
                </span><span class="value">\(bar.value)</span></div>
                """
        }
        return "<div class=\"bars\">\n\(HTML.join(rows))\n</div>"
    }

    /// The meaning of the colors.
    static func legend(_ entries: [(color: String, text: String)]) -> HTML {
        let items = entries.map { entry -> HTML in
            "<li><i style=\"background:var(--\(entry.color))\"></i>\(entry.text)</li>"
        }
        return "<ul class=\"legend\">\(HTML.join(items, separator: ""))</ul>"
    }
}
