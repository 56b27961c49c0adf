// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
    /// The picture as it is to be seen, of one that is stored in an EXIF orientation, 1 to 8 (CIPA DC-008-2023, table 6).
    func upright(from orientation: Int) -> PixelBuffer {
        guard let path = ReadingPath(orientation: orientation, width: width, height: height) else { return self }
        var rotated: [UInt8] = []
        rotated.reserveCapacity(bytes.count)
        var rotatedAlpha: [UInt8]? = alpha.map { _ in [] }
        rotatedAlpha?.reserveCapacity(width * height)
        for row in 0..<path.rowCount {
            var pixel = path.start + row * path.rowStride
            for _ in 0..<path.columnCount {
                let sample = pixel * Self.channelCount
                rotated.append(bytes[sample])
                rotated.append(bytes[sample + 1])
                rotated.append(bytes[sample + 2])
                if let alpha { rotatedAlpha?.append(alpha[pixel]) }
                pixel += path.columnStride
            }
        }
        return PixelBuffer(width: path.columnCount, height: path.rowCount, bytes: rotated, alpha: rotatedAlpha)
    }
}

/// The order in which stored pixels are read to come out upright, row by row from the left.
private struct ReadingPath {
    let rowCount: Int
    let columnCount: Int
    let start: Int
    let rowStride: Int
    let columnStride: Int

    /// `nil` where pixels are stored as they are seen.
    init?(orientation: Int, width: Int, height: Int) {
        let (right, bottom, last) = (width - 1, (height - 1) * width, height * width - 1)
        switch orientation {
        case 2: (start, rowStride, columnStride) = (right, width, -1)
        case 3: (start, rowStride, columnStride) = (last, -width, -1)
        case 4: (start, rowStride, columnStride) = (bottom, -width, 1)
        case 5: (start, rowStride, columnStride) = (0, 1, width)
        case 6: (start, rowStride, columnStride) = (bottom, 1, -width)
        case 7: (start, rowStride, columnStride) = (last, -1, -width)
        case 8: (start, rowStride, columnStride) = (right, -1, width)
        default: return nil
        }
        (rowCount, columnCount) = orientation > 4 ? (width, height) : (height, width)
    }
}
