// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Modified median cut quantization: boxes of colors are cut in two, first the most populous, then those that are both
/// populous and large.
///
/// After Leptonica's (Bloomberg, "Color quantization using modified median cut", 2008), with the steps and limits of
/// Color Thief, so that palettes are the same as its Python port's (0.2.1).
struct MedianCut {
    /// The share of the boxes that are cut by population alone.
    private static let shareByPopulation = 0.75
    private static let cutCountMax = 1_000

    private let histogram: ColorHistogram

    init(_ histogram: ColorHistogram) { self.histogram = histogram }

    /// About `count` colors, the dominant one first; none without pixels.
    func palette(colorCount: Int) -> [RGBColor] {
        guard histogram.total > 0 else { return [] }
        let populous = cut([ColorBox(histogram)], until: Self.shareByPopulation * Double(colorCount)) { $0.count }
        let ranked = sorted(populous) { $0.count }
        let boxes = cut(ranked, until: Double(colorCount - ranked.count)) { $0.count * $0.volume }
        return sorted(boxes) { $0.count * $0.volume }.map { $0.mean(histogram) }
    }

    /// Cuts the highest box in two, again and again, until `count` have been added.
    private func cut(_ boxes: [ColorBox], until target: Double, by rank: (ColorBox) -> Int) -> [ColorBox] {
        var boxes = boxes
        var colorCount = 1
        for _ in 0..<Self.cutCountMax {
            guard let highest = highestIndex(boxes, by: rank), boxes[highest].count > 0 else { return boxes }
            let (first, second) = boxes.remove(at: highest).halves(histogram)
            boxes.append(first)
            if let second {
                boxes.append(second)
                colorCount += 1
            }
            if Double(colorCount) >= target { return boxes }
        }
        return boxes
    }

    /// Of equal boxes, the one that was put in last.
    private func highestIndex(_ boxes: [ColorBox], by rank: (ColorBox) -> Int) -> Int? {
        boxes.indices.max { (rank(boxes[$0]), $0) < (rank(boxes[$1]), $1) }
    }

    private func sorted(_ boxes: [ColorBox], by rank: (ColorBox) -> Int) -> [ColorBox] {
        var rest = boxes
        var sorted: [ColorBox] = []
        while let highest = highestIndex(rest, by: rank) { sorted.append(rest.remove(at: highest)) }
        return sorted
    }
}
