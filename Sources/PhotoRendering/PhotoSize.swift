// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
