// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SeededRandom

/// An image whose bytes follow from its number: a viewer can check that it is the right one.
struct TrialImage: Sendable {
    let number: Int
    let byteCount: Int

    init(_ number: Int, byteCounts: ClosedRange<Int>) {
        self.number = number
        var generator = SplitMix64(seed: UInt64(number))
        byteCount = generator.integer(in: byteCounts)
    }

    var data: Data {
        var generator = SplitMix64(seed: UInt64(number) &* 7_919 &+ 1)
        var words = [UInt64](repeating: 0, count: byteCount / 8 + 1)
        for index in words.indices { words[index] = generator.next() }
        return words.withUnsafeBytes { Data($0.prefix(byteCount)) }
    }

    var entityTag: String { "\"\(number)-\(byteCount)\"" }
}
