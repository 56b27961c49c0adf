// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Imaging

/// A picture that is drawn on.
struct Canvas {
    let width: Int
    let height: Int
    private var bytes: [UInt8]

    init(width: Int, height: Int, color: RGBColor) {
        self.width = width
        self.height = height
        bytes = (0..<width * height).flatMap { _ in [color.red, color.green, color.blue] }
    }

    var pixels: PixelBuffer { PixelBuffer(width: width, height: height, bytes: bytes) }

    mutating func fill(_ rectangle: CGRect, _ color: RGBColor) {
        forEachPixel(of: rectangle) { _, _ in color }
    }

    /// Draws a picture over a rectangle, as large as covers it, its middle in the middle.
    mutating func draw(_ picture: PixelBuffer, over rectangle: CGRect) {
        let scale = max(rectangle.width / CGFloat(picture.width), rectangle.height / CGFloat(picture.height))
        let left = (CGFloat(picture.width) - rectangle.width / scale) / 2
        let top = (CGFloat(picture.height) - rectangle.height / scale) / 2
        let side = max(1, Int(1 / scale))
        forEachPixel(of: rectangle) { x, y in
            picture.mean(left: Int(left + x / scale), top: Int(top + y / scale), side: side)
        }
    }

    /// Sets the pixels of a rectangle; the closure is given places within it.
    private mutating func forEachPixel(of rectangle: CGRect, _ color: (CGFloat, CGFloat) -> RGBColor) {
        let columns = max(0, Int(rectangle.minX.rounded()))..<min(width, Int(rectangle.maxX.rounded()))
        let rows = max(0, Int(rectangle.minY.rounded()))..<min(height, Int(rectangle.maxY.rounded()))
        for y in rows {
            for x in columns {
                let pixel = color(CGFloat(x) - rectangle.minX, CGFloat(y) - rectangle.minY)
                let start = (y * width + x) * 3
                bytes.replaceSubrange(start..<start + 3, with: [pixel.red, pixel.green, pixel.blue])
            }
        }
    }
}

extension PixelBuffer {
    /// The mean color of a square, as far as it lies in the picture.
    fileprivate func mean(left: Int, top: Int, side: Int) -> RGBColor {
        var sums = [0, 0, 0]
        var count = 0
        let (left, top) = (max(0, min(left, width - 1)), max(0, min(top, height - 1)))
        for y in top..<min(height, top + side) {
            for x in left..<min(width, left + side) {
                for channel in 0..<3 { sums[channel] += Int(bytes[(y * width + x) * 3 + channel]) }
                count += 1
            }
        }
        return RGBColor(red: UInt8(sums[0] / count), green: UInt8(sums[1] / count), blue: UInt8(sums[2] / count))
    }
}
