// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SeededRandom

/// The upper edge of a hill: smooth noise in two octaves along a line.
enum PhotoSkyline {
    /// The hill's first row in each pixel column, around `level`, within the picture.
    static func draw(in size: PhotoSize, level: Int, using generator: inout SplitMix64) -> [Int32] {
        let coarse = wave(size, period: size.width / 3, amplitude: size.height / 9, using: &generator)
        let fine = wave(size, period: size.width / 18, amplitude: size.height / 60, using: &generator)
        return zip(coarse, fine).map { Int32(min(max(level + $0 + $1, 0), size.height)) }
    }

    /// Random heights every `period` columns, joined by the smooth step 3t^2 - 2t^3.
    private static func wave(
        _ size: PhotoSize,
        period: Int,
        amplitude: Int,
        using generator: inout SplitMix64
    ) -> [Int] {
        let lastHeight = size.width / period + 1
        let heights: [Int] = (0...lastHeight).map { _ in generator.integer(in: -amplitude...amplitude) }
        return (0..<size.width).map { (x: Int) -> Int in
            let step = x % period * 256 / period
            let weight = step * step * (768 - 2 * step) / 65_536
            let left = heights[x / period]
            return left + (heights[x / period + 1] - left) * weight / 256
        }
    }
}

/// A soft round patch of another color and texture: a cloud, a bush, a patch of light.
struct PhotoBlob {
    let x: Int
    let y: Int
    let radius: Int
    let color: PhotoColor
    let textureGain: Int

    /// Somewhere in a picture, brighter or darker by up to `contrast`.
    static func draw(in size: PhotoSize, contrast: Int, textureGain: Int, using generator: inout SplitMix64) -> Self {
        let shortSide = min(size.width, size.height)
        let light = generator.integer(in: -contrast...contrast)
        return Self(
            x: generator.integer(in: 0...size.width),
            y: generator.integer(in: 0...size.height),
            radius: generator.integer(in: (shortSide / 12)...(shortSide / 3)),
            color: PhotoColor(light, light, light).shifted(by: contrast / 6, using: &generator),
            textureGain: generator.integer(in: -textureGain...textureGain)
        )
    }

    /// 256 at the centre, falling smoothly to 0 at the radius: (1 - d^2/r^2)^2.
    func weight(x: Int, y: Int) -> Int {
        let square = (x - self.x) * (x - self.x) + (y - self.y) * (y - self.y)
        guard square < radius * radius else { return 0 }
        let fall = 256 - square * 256 / (radius * radius)
        return fall * fall / 256
    }
}
