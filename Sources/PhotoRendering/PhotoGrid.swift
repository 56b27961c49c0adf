// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CPhotoPainter

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
