// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging

extension PixelBuffer {
    /// Rows that JPEG encodes together when chroma is halved both ways.
    private static let stripHeight = 16
    /// Strips that represent a picture well enough.
    private static let sampleStripCount = 9

    /// A lower picture from whole strips spread evenly over this one.
    func sampledStrips() -> PixelBuffer {
        let stripCount = height / Self.stripHeight
        guard stripCount > Self.sampleStripCount else { return self }
        let stripByteCount = Self.stripHeight * rowByteCount
        var sample: [UInt8] = []
        sample.reserveCapacity(Self.sampleStripCount * stripByteCount)
        for index in 0..<Self.sampleStripCount {
            let strip = (2 * index + 1) * stripCount / (2 * Self.sampleStripCount)
            sample += bytes[(strip * stripByteCount)..<((strip + 1) * stripByteCount)]
        }
        return PixelBuffer(width: width, height: Self.sampleStripCount * Self.stripHeight, bytes: sample)
    }
}
