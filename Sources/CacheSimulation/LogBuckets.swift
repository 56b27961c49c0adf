// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Buckets of numbers, about a thousandth wide, as HDR histograms have them: 1,024 from each power of two to the next.
///
/// Two sums by bucket add up to that of both.
package enum LogBuckets {
    private static let mantissaBits = 10

    /// The bucket of a positive number: it holds those above the bound of the one before, up to its own.
    package static func bucket(of number: Int) -> Int {
        let below = number - 1
        let shift = max(0, Int.bitWidth - 1 - (below | 1).leadingZeroBitCount - mantissaBits)
        return shift << mantissaBits + below >> shift
    }

    /// The largest number of a bucket.
    package static func upperBound(of bucket: Int) -> Int {
        let shift = max(0, bucket >> mantissaBits - 1)
        return (bucket - shift << mantissaBits + 1) << shift
    }
}
