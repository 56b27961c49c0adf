// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CacheSimulation

extension HTMLReport {
    var curveSection: HTML? {
        guard let curves = report.curves else { return nil }
        return .section(
            "What a cache would miss",
            note:
                "Bytes of images that a cache of this size on each user's device does not have, of what \(curves.strategy) asks for; "
                + "belady knows the future, and is the bound.",
            content: curves.chart.html
        )
    }
}

extension ImageCurves {
    /// A line for each policy: sizes by their ratios, misses by bytes.
    var chart: LineChart {
        let sizes = sizes
        let last = Double(max(1, sizes.count - 1))
        let lines = drawnLines.map { line in
            let points = line.tallies.enumerated().map { index, tally in
                (x: Double(index) / last, y: tally.byteMissRatio)
            }
            return LineChart.Line(name: line.policy, points: points)
        }
        let marked = [0, 1, 2, 3, 4].map { (sizes.count - 1) * $0 / 4 }
        return LineChart(
            title: "Bytes that a cache misses, by its size",
            xTitle: "size of the cache on each device",
            yTitle: "image bytes that it does not have",
            lines: lines,
            xTicks: marked.map {
                LineChart.Tick(place: Double($0) / last, text: Figure.text(Double(sizes[$0]), in: .bytes))
            },
            yTicks: [0.0, 0.25, 0.5, 0.75, 1].map { LineChart.Tick(place: $0, text: "\(Int(100 * $0)) %") }
        )
    }
}
