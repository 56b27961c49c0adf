// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SeededRandom

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
