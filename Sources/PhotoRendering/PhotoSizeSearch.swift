// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging

/// Finds the JPEG quality at which a picture takes about a number of bytes.
///
/// A sample of the picture's strips is encoded at several qualities, the whole only at the one that the sample
/// promises; where the sample misled, its goal is corrected by the error and the search repeated.
struct PhotoSizeSearch {
    /// Whole encodings at most; nearly always one is enough.
    private static let encodingCountMax = 3
    /// An error of 1/20 ends the search; neighbouring qualities differ by about as much.
    private static let toleranceDivisor = 20
    /// Below, blocks show; above, the steps between qualities are too large.
    private static let qualities = 20...96
    /// Tables and markers, which do not grow with the picture (libjpeg's baseline files with three components).
    private static let headerByteCount = 623

    private let pixels: PixelBuffer
    private let sample: PixelBuffer
    private var estimates: [Int: Int] = [:]

    init(_ pixels: PixelBuffer) {
        self.pixels = pixels
        sample = pixels.sampledStrips()
    }

    /// Returns the encoding nearest to a byte count.
    mutating func encode(byteCount target: Int) throws(ImagingError) -> RenderedPhoto {
        var goal = target
        var best = try photo(quality: quality(for: goal))
        for _ in 1..<Self.encodingCountMax where best.distance(to: target) > target / Self.toleranceDivisor {
            goal = goal * target / best.bytes.count
            let next = try photo(quality: quality(for: goal))
            if next.distance(to: target) < best.distance(to: target) { best = next }
        }
        return best
    }

    private func photo(quality: Int) throws(ImagingError) -> RenderedPhoto {
        RenderedPhoto(
            bytes: try JPEGEncoder.encode(pixels, quality: quality),
            pixelWidth: pixels.width,
            pixelHeight: pixels.height,
            quality: quality
        )
    }

    /// Halves the range of qualities until the two around the goal are left, and takes the nearer.
    private mutating func quality(for goal: Int) throws(ImagingError) -> Int {
        var low = Self.qualities.lowerBound
        var high = Self.qualities.upperBound
        while high - low > 1 {
            let middle = (low + high) / 2
            if try estimate(quality: middle) < goal { low = middle } else { high = middle }
        }
        let isLowNearer = try goal - estimate(quality: low) < estimate(quality: high) - goal
        return isLowNearer ? low : high
    }

    private mutating func estimate(quality: Int) throws(ImagingError) -> Int {
        if let known = estimates[quality] { return known }
        let sampleByteCount = try JPEGEncoder.encode(sample, quality: quality).count - Self.headerByteCount
        let byteCount = sampleByteCount * pixels.height / sample.height + Self.headerByteCount
        estimates[quality] = byteCount
        return byteCount
    }
}
