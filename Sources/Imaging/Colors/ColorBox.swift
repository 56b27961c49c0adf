// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A box of neighbouring colors, in planes of the histogram; one without colors has an empty side.
struct ColorBox {
    /// The first plane of red, green and blue.
    var lower: [Int]
    /// The last plane of each.
    var upper: [Int]
    /// The pixels in the box.
    private(set) var count: Int

    /// The least box around all the histogram's colors.
    init(_ histogram: ColorHistogram) {
        lower = [ColorHistogram.planeCount, ColorHistogram.planeCount, ColorHistogram.planeCount]
        upper = [-1, -1, -1]
        count = histogram.total
        for index in histogram.counts.indices where histogram.counts[index] > 0 {
            let bits = ColorHistogram.significantBits
            let mask = ColorHistogram.planeCount - 1
            for (axis, plane) in [index >> (2 * bits), (index >> bits) & mask, index & mask].enumerated() {
                lower[axis] = min(lower[axis], plane)
                upper[axis] = max(upper[axis], plane)
            }
        }
    }

    private init(lower: [Int], upper: [Int], histogram: ColorHistogram) {
        (self.lower, self.upper, count) = (lower, upper, 0)
        forEachColor(of: histogram) { _, _, _, pixels in count += pixels }
    }

    var volume: Int { (0..<3).reduce(1) { $0 * (upper[$1] - lower[$1] + 1) } }

    /// The box in two along its longest side, near the median; the second is `nil` for a box of one pixel.
    func halves(_ histogram: ColorHistogram) -> (ColorBox, ColorBox?) {
        guard count > 1 else { return (self, nil) }
        let sides = (0..<3).map { upper[$0] - lower[$0] + 1 }
        guard let axis = sides.indices.max(by: { (sides[$0], -$0) < (sides[$1], -$1) }) else { return (self, nil) }
        let cut = cutPlane(along: axis, sums: sums(along: axis, histogram: histogram))
        var (first, second) = (upper, lower)
        first[axis] = cut
        second[axis] = cut + 1
        return (
            ColorBox(lower: lower, upper: first, histogram: histogram),
            ColorBox(lower: second, upper: upper, histogram: histogram)
        )
    }

    /// The pixels up to each plane.
    private func sums(along axis: Int, histogram: ColorHistogram) -> [Int: Int] {
        var pixelsByPlane = [Int](repeating: 0, count: ColorHistogram.planeCount)
        forEachColor(of: histogram) { red, green, blue, pixels in pixelsByPlane[[red, green, blue][axis]] += pixels }
        var sums: [Int: Int] = [:]
        var sum = 0
        for plane in lower[axis]...upper[axis] {
            sum += pixelsByPlane[plane]
            sums[plane] = sum
        }
        return sums
    }

    /// The last plane of the first half: in the middle of the longer part beside the median, moved off empty halves.
    private func cutPlane(along axis: Int, sums: [Int: Int]) -> Int {
        let (low, high) = (lower[axis], upper[axis])
        let median = (low...high).first { (sums[$0] ?? 0) * 2 > count } ?? high
        let (left, right) = (median - low, high - median)
        var cut =
            left <= right
            ? min(high - 1, median + right / 2) : max(low, Int(Double(median) - 1 - Double(left) / 2))
        while sums[cut] ?? 0 == 0 { cut += 1 }
        while sums[cut] == count, sums[cut - 1] ?? 0 > 0 { cut -= 1 }
        return cut
    }

    /// The mean color of the pixels.
    func mean(_ histogram: ColorHistogram) -> RGBColor {
        let width = 1 << ColorHistogram.shift
        guard count > 0 else {
            let middles = (0..<3).map { UInt8(min(255, width * (lower[$0] + upper[$0] + 1) / 2)) }
            return RGBColor(red: middles[0], green: middles[1], blue: middles[2])
        }
        var sums = [0.0, 0.0, 0.0]
        forEachColor(of: histogram) { red, green, blue, pixels in
            for (axis, plane) in [red, green, blue].enumerated() {
                sums[axis] += Double(pixels) * (Double(plane) + 0.5) * Double(width)
            }
        }
        let means = sums.map { UInt8($0 / Double(count)) }
        return RGBColor(red: means[0], green: means[1], blue: means[2])
    }

    private func forEachColor(
        of histogram: ColorHistogram,
        _ body: (_ red: Int, _ green: Int, _ blue: Int, _ pixels: Int) -> Void
    ) {
        guard (0..<3).allSatisfy({ lower[$0] <= upper[$0] }) else { return }
        for red in lower[0]...upper[0] {
            for green in lower[1]...upper[1] {
                for blue in lower[2]...upper[2] {
                    let pixels = histogram[red, green, blue]
                    if pixels > 0 { body(red, green, blue, pixels) }
                }
            }
        }
    }
}
