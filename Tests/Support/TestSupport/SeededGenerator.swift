// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SeededRandom

/// Random choices that are the same in each run of a test.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var source: SplitMix64

    package init(seed: UInt64) {
        self.source = SplitMix64(seed: seed)
    }

    package mutating func next() -> UInt64 { source.next() }

    package mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }

    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }
}
