// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Modified median cut quantization: boxes of colours are cut in two, first the most populous, then those that are both
/// populous and large.
///
/// After Leptonica's (Bloomberg, "Color quantization using modified median cut", 2008), with the steps and limits of
/// Color Thief, so that palettes are the same as its Python port's (0.2.1).
struct MedianCut {
    /// The share of the boxes that are cut by population alone.
    private static let shareByPopulation = 0.75
    private static let cutCountMax = 1_000

    private let histogram: ColourHistogram

    init(_ histogram: ColourHistogram) { self.histogram = histogram }

    /// About so many colours, the dominant one first; none without pixels.
    func palette(colourCount: Int) -> [RGBColour] {
        guard histogram.total > 0 else { return [] }
        let populous = cut([ColourBox(histogram)], until: Self.shareByPopulation * Double(colourCount)) { $0.count }
        let ranked = sorted(populous) { $0.count }
        let boxes = cut(ranked, until: Double(colourCount - ranked.count)) { $0.count * $0.volume }
        return sorted(boxes) { $0.count * $0.volume }.map { $0.mean(histogram) }
    }

    /// Cuts the highest box in two, again and again, until so many have been added.
    private func cut(_ boxes: [ColourBox], until target: Double, by rank: (ColourBox) -> Int) -> [ColourBox] {
        var boxes = boxes
        var colourCount = 1
        for _ in 0..<Self.cutCountMax {
            guard let highest = highestIndex(boxes, by: rank), boxes[highest].count > 0 else { return boxes }
            let (first, second) = boxes.remove(at: highest).halves(histogram)
            boxes.append(first)
            if let second {
                boxes.append(second)
                colourCount += 1
            }
            if Double(colourCount) >= target { return boxes }
        }
        return boxes
    }

    /// Of equal boxes, the one that was put in last.
    private func highestIndex(_ boxes: [ColourBox], by rank: (ColourBox) -> Int) -> Int? {
        boxes.indices.max { (rank(boxes[$0]), $0) < (rank(boxes[$1]), $1) }
    }

    private func sorted(_ boxes: [ColourBox], by rank: (ColourBox) -> Int) -> [ColourBox] {
        var rest = boxes
        var sorted: [ColourBox] = []
        while let highest = highestIndex(rest, by: rank) { sorted.append(rest.remove(at: highest)) }
        return sorted
    }
}
