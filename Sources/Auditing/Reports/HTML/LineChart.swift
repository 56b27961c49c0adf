// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Lines over an axis; the lines stretch with the page, the text does not.
struct LineChart {
    /// A line, through points of the unit square: x to the right, y upwards.
    struct Line {
        let name: String
        let points: [(x: Double, y: Double)]
    }

    /// A mark at an axis, from 0 to 1.
    struct Tick {
        let place: Double
        let text: String
    }

    /// A description of the chart for screen readers.
    let title: String
    let xTitle: String
    let yTitle: String
    let lines: [Line]
    let xTicks: [Tick]
    let yTicks: [Tick]

    private static let colorCount = 8
    private static let dashes = ["", "7 4", "2 4", "9 3 2 3"]

    var html: HTML {
        let grid = yTicks.map { tick -> HTML in
            let y = Self.unit(1 - tick.place)
            return "<line x1=\"0\" x2=\"1000\" y1=\"\(y)\" y2=\"\(y)\"/>"
        }
        let drawn = lines.enumerated().map { number, line -> HTML in
            let points = line.points.map { "\(Self.unit($0.x)),\(Self.unit(1 - $0.y))" }.joined(separator: " ")
            return "<polyline points=\"\(points)\" \(Self.stroke(number))><title>\(line.name)</title></polyline>"
        }
        return """
            <figure style="margin:0" role="img" aria-label="\(title)">
            \(legend)
            <p class="axis">\(yTitle)</p>
            <div class="chart"><div class="y">\(labels(yTicks.map { ($0.text, "top:" + HTML.percent(1 - $0.place)) }))</div>\
            <svg viewBox="0 0 1000 1000" preserveAspectRatio="none">\(HTML.join(grid + drawn, separator: ""))</svg>\
            <div class="x">\(labels(xTicks.map { ($0.text, "left:" + HTML.percent($0.place)) }))</div></div>
            <p class="axis x">\(xTitle)</p>
            </figure>
            """
    }

    private var legend: HTML {
        let items = lines.enumerated().map { number, line -> HTML in
            """
            <li><svg viewBox="0 0 26 10"><line x1="0" x2="26" y1="5" y2="5" \(Self.stroke(number))/></svg>\(line.name)</li>
            """
        }
        return "<ul class=\"legend\">\(HTML.join(items, separator: ""))</ul>"
    }

    private func labels(_ texts: [(text: String, style: String)]) -> HTML {
        HTML.join(texts.map { "<span style=\"\($0.style)\">\($0.text)</span>" }, separator: "")
    }

    /// Lines differ in color, and in how they are dashed, for readers who do not see colors.
    private static func stroke(_ number: Int) -> HTML {
        let dash = dashes[number % dashes.count]
        return "style=\"stroke:var(--s\(number % colorCount))\" stroke-dasharray=\"\(dash)\""
    }

    private static func unit(_ share: Double) -> String { String(Int((share * 1_000).rounded())) }
}
