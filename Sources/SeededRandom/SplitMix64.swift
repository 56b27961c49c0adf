// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A small random generator whose numbers are the same everywhere and forever.
///
/// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014). The standard library's `random(in:)`
/// is avoided on top of it, for its algorithm may change between Swift versions.
package struct SplitMix64: Sendable {
    private var state: UInt64

    /// Starts the sequence of a seed.
    package init(seed: UInt64) { state = seed }

    /// The next 64 random bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// An integer in a range; its slight bias, below range / 2^64, does not matter here.
    package mutating func integer(in range: ClosedRange<Int>) -> Int {
        let count = UInt64(range.upperBound - range.lowerBound) + 1
        return range.lowerBound + Int(next().multipliedFullWidth(by: count).high)
    }

    /// A number in 0..<1 with 53 random bits.
    package mutating func unitInterval() -> Double {
        Double(next() >> 11) * 0x1p-53
    }
}
