// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CPhotoPainter
import SeededRandom

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
