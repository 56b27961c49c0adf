// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CPhotoPainter
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
        var layers = [Self.sky(size, palette: palette, using: &generator)]
        for hill in 0..<hillCount {
            let level = horizon + (size.height - horizon) * hill / hillCount
            let nearness = 256 * hill / hillCount
            layers.append(Self.hill(size, palette: palette, level: level, nearness: nearness, using: &generator))
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
        palette: PhotoPalette,
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
        palette: PhotoPalette,
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

/// One depth of a scene, painted over those behind it.
struct PhotoLayer {
    let grid: PhotoGrid
    /// The first row it covers in each pixel column.
    let top: [Int32]
    /// Where it starts in the tiles: texture x and y, grain x and y.
    private let offsets: [Int32]
    /// Strength of the texture per color, in 1/128.
    private let tint: [Int32]

    init(grid: PhotoGrid, top: [Int32], using generator: inout SplitMix64) {
        self.grid = grid
        self.top = top
        offsets = (0..<4).map { _ in Int32(generator.integer(in: 0...(PhotoNoise.side - 1))) }
        tint = (0..<3).map { _ in Int32(generator.integer(in: 96...128)) }
    }

    func paint(over bytes: UnsafeMutablePointer<UInt8>, size: PhotoSize, grainGain: Int) {
        var line = [Int32](repeating: 0, count: grid.columnCount * Int(PHOTO_CELL_CHANNELS))
        grid.painted().withUnsafeBufferPointer { cells in
            top.withUnsafeBufferPointer { top in
                PhotoNoise.texture.withUnsafeBufferPointer { texture in
                    PhotoNoise.grain.withUnsafeBufferPointer { grain in
                        var layer = photo_layer(
                            cells: cells.baseAddress,
                            cell_columns: Int32(grid.columnCount),
                            top: top.baseAddress,
                            texture: texture.baseAddress,
                            grain: grain.baseAddress,
                            texture_x: offsets[0],
                            texture_y: offsets[1],
                            grain_x: offsets[2],
                            grain_y: offsets[3],
                            grain_gain: Int32(grainGain),
                            tint: (tint[0], tint[1], tint[2])
                        )
                        photo_paint_layer(&layer, &line, bytes, Int32(size.width), Int32(size.height))
                    }
                }
            }
        }
    }
}
