// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging
import SeededRandom

/// The scene of a photo: a sky and one to three hills, each with soft patches and its own texture.
struct PhotoScene {
    let size: PhotoSize
    private let layers: [PhotoLayer]
    /// Strength of the sensor's noise, in 1/128.
    private let grainGain: Int

    /// Draws a scene; palette, hills, patches and noise all come from the generator.
    init(size: PhotoSize, using generator: inout SplitMix64) {
        self.size = size
        grainGain = generator.integer(in: 4...11)
        let palette = PhotoPalette.draw(using: &generator)
        let horizon = size.height * generator.integer(in: 30...60) / 100
        let hillCount = generator.integer(in: 1...3)
        var layers = [Self.sky(size, palette, using: &generator)]
        for hill in 0..<hillCount {
            let level = horizon + (size.height - horizon) * hill / hillCount
            let nearness = 256 * hill / hillCount
            layers.append(Self.hill(size, palette, level: level, nearness: nearness, using: &generator))
        }
        self.layers = layers
    }

    /// Paints all layers, the farthest first.
    func paint() -> PixelBuffer {
        var bytes = [UInt8](repeating: 0, count: size.pixelCount * PixelBuffer.channelCount)
        for layer in layers { layer.paint(over: &bytes, size: size, grainGain: grainGain) }
        return PixelBuffer(width: size.width, height: size.height, bytes: bytes)
    }

    private static func sky(
        _ size: PhotoSize,
        _ palette: PhotoPalette,
        using generator: inout SplitMix64
    ) -> PhotoLayer {
        var grid = PhotoGrid(size: size, top: 0, first: palette.zenith, last: palette.horizon, textureGain: 12)
        for _ in 0..<generator.integer(in: 3...8) {
            grid.add(.draw(in: size, contrast: 44, textureGain: 20, using: &generator))
        }
        return PhotoLayer(grid: grid, top: [Int32](repeating: 0, count: size.width), using: &generator)
    }

    private static func hill(
        _ size: PhotoSize,
        _ palette: PhotoPalette,
        level: Int,
        nearness: Int,
        using generator: inout SplitMix64
    ) -> PhotoLayer {
        let far = palette.distance.mixed(with: palette.ground, weight: nearness)
        let textureGain = 48 + nearness / 5 + generator.integer(in: 0...32)
        var grid = PhotoGrid(size: size, top: level, first: far, last: palette.ground, textureGain: textureGain)
        for _ in 0..<generator.integer(in: 4...12) {
            grid.add(.draw(in: size, contrast: 60, textureGain: 36, using: &generator))
        }
        let top = PhotoSkyline.draw(in: size, level: level, using: &generator)
        return PhotoLayer(grid: grid, top: top, using: &generator)
    }
}
