// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CPhotoPainter
import SeededRandom

/// Two repeating tiles of noise from which all photos take theirs, each at other places.
enum PhotoNoise {
    static let side = Int(PHOTO_TILE_SIDE)

    /// Value noise in seven octaves, from features of 64 pixels down to single ones.
    static let texture: [Int8] = {
        var generator = SplitMix64(seed: 0x5445_5854_5552_4531)
        var amplitude = 1_024
        var side = 8
        var values = uniform(count: side * side, amplitude: amplitude, using: &generator)
        while side < PhotoNoise.side {
            // Amplitudes that hardly fall are what nature's 1/f spectra have.
            amplitude = amplitude * 15 / 16
            let details = uniform(count: side * side * 4, amplitude: amplitude, using: &generator)
            values = zip(doubled(values, side: side), details).map { $0 + $1 }
            side *= 2
        }
        return values.map { Int8(clamping: $0 / 16) }
    }()

    /// Independent values like a sensor's, triangular around 0.
    static let grain: [Int8] = {
        var generator = SplitMix64(seed: 0x4752_4149_4E31_0000)
        return (0..<(side * side)).map { _ in
            let bits = generator.next()
            return Int8(clamping: Int(bits & 0x7F) - Int(bits >> 8 & 0x7F))
        }
    }()

    private static func uniform(count: Int, amplitude: Int, using generator: inout SplitMix64) -> [Int] {
        (0..<count).map { _ in generator.integer(in: -amplitude...amplitude) }
    }

    /// Twice the side, each value from its four nearest with weights 9, 3, 3 and 1; the tile's edges meet.
    private static func doubled(_ values: [Int], side: Int) -> [Int] {
        var output: [Int] = []
        output.reserveCapacity(values.count * 4)
        for y in 0..<(side * 2) {
            let near = y / 2 * side
            let far = (y / 2 + (y % 2 == 0 ? side - 1 : 1)) % side * side
            for x in 0..<(side * 2) {
                let nearColumn = x / 2
                let farColumn = (x / 2 + (x % 2 == 0 ? side - 1 : 1)) % side
                let nearSum = 3 * values[near + nearColumn] + values[near + farColumn]
                let farSum = 3 * values[far + nearColumn] + values[far + farColumn]
                output.append((3 * nearSum + farSum) / 16)
            }
        }
        return output
    }
}
