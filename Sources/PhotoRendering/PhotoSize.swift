// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging
import SeededRandom

/// The sides of a photo, from a few aspect ratios of phones at a scale that suits its byte count.
struct PhotoSize: Hashable {
    let width: Int
    let height: Int

    private static let aspects: [Self] = [
        Self(width: 1_440, height: 1_080),
        Self(width: 1_080, height: 1_440),
        Self(width: 1_200, height: 1_200),
        Self(width: 1_600, height: 900),
        Self(width: 900, height: 1_600),
    ]

    /// Eighths of the sides above.
    private static let scales = 3...14

    /// Draws an aspect ratio and takes the largest scale that leaves at least two bits for each pixel.
    static func draw(byteCount: Int, using generator: inout SplitMix64) -> Self {
        let aspect = aspects[generator.integer(in: 0...(aspects.count - 1))]
        let pixelCountMax = byteCount * 8 / 2
        let scale = scales.last { aspect.scaled(eighths: $0).pixelCount <= pixelCountMax }
        return aspect.scaled(eighths: scale ?? scales.lowerBound)
    }

    var pixelCount: Int { width * height }

    private func scaled(eighths: Int) -> Self {
        // Even sides, as cameras have.
        Self(width: width * eighths / 16 * 2, height: height * eighths / 16 * 2)
    }
}

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

/// How large the photos of a feed are: log-normal, as collections of photos are, within fixed limits.
package struct PhotoByteCounts: Sendable, Hashable {
    /// Smaller and larger draws are moved to these limits.
    package static let limits = 60_000...2_000_000
    /// The standard deviations that can be asked for.
    package static let sigmas = 0.0...2.0

    /// Half of the photos are smaller.
    package let median: Int
    /// The standard deviation of the size's natural logarithm.
    package let sigma: Double

    /// Describes a distribution; the defaults are a phone's photos after an app has scaled them for upload.
    package init(median: Int = 350_000, sigma: Double = 0.45) {
        precondition(Self.limits.contains(median), "the median must be in \(Self.limits) (is \(median))")
        precondition(Self.sigmas.contains(sigma), "sigma must be in \(Self.sigmas) (is \(sigma))")
        self.median = median
        self.sigma = sigma
    }

    /// Draws one size, the same on every machine.
    func draw(using generator: inout SplitMix64) -> Int {
        // The sum of twelve uniform numbers is nearly normal with variance 1 (Irwin-Hall).
        let normal = (0..<12).reduce(-6.0) { sum, _ in sum + generator.unitInterval() }
        let byteCount = Double(median) * Self.exponential(sigma * normal)
        return min(max(Int(byteCount), Self.limits.lowerBound), Self.limits.upperBound)
    }

    /// The exponential from additions and multiplications alone, which IEEE 754 rounds alike everywhere; libm does not.
    private static func exponential(_ exponent: Double) -> Double {
        let small = exponent / 1_024
        var power = 1 + small * (1 + small * (0.5 + small / 6))
        for _ in 0..<10 { power *= power }
        return power
    }
}
