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

/// A layer's colors and texture on a coarse grid, between whose points the painter interpolates.
struct PhotoGrid {
    static let cellSide = Int(PHOTO_CELL_SIDE)
    private static let channelCount = Int(PHOTO_CELL_CHANNELS)
    private static let unit = 1 << Int(PHOTO_CELL_FRACTION_BITS)

    let columnCount: Int
    let rowCount: Int
    private var values: [Int]

    /// Fills a grid over a picture with a gradient from `first` at row `top` to `last` at the lowest row.
    init(size: PhotoSize, top: Int, first: PhotoColor, last: PhotoColor, textureGain: Int) {
        columnCount = size.width / Self.cellSide + 2
        rowCount = size.height / Self.cellSide + 2
        values = []
        values.reserveCapacity(columnCount * rowCount * Self.channelCount)
        for row in 0..<rowCount {
            let depth = min(max(row * Self.cellSide - top, 0), size.height - top)
            let color = first.mixed(with: last, weight: depth * 256 / max(size.height - top, 1))
            let point = (color.channels + [textureGain]).map { $0 * Self.unit }
            for _ in 0..<columnCount { values.append(contentsOf: point) }
        }
    }

    /// Adds a soft round patch.
    mutating func add(_ blob: PhotoBlob) {
        let amounts = (blob.color.channels + [blob.textureGain]).map { $0 * Self.unit }
        for row in cells(around: blob.y, radius: blob.radius, count: rowCount) {
            for column in cells(around: blob.x, radius: blob.radius, count: columnCount) {
                let weight = blob.weight(x: column * Self.cellSide, y: row * Self.cellSide)
                let point = (row * columnCount + column) * Self.channelCount
                for channel in 0..<Self.channelCount { values[point + channel] += amounts[channel] * weight / 256 }
            }
        }
    }

    /// The values as the painter takes them.
    func painted() -> [Int16] {
        values.map { Int16(min(max($0, 0), 255 * Self.unit)) }
    }

    private func cells(around centre: Int, radius: Int, count: Int) -> Range<Int> {
        let first = min(max((centre - radius) / Self.cellSide, 0), count)
        return first..<min(max((centre + radius) / Self.cellSide + 1, first), count)
    }
}
