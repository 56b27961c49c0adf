// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Imaging

/// Renders photos that are to a codec what a phone's are: gradients, soft shapes, texture, noise and edges.
///
/// A photo depends on nothing but seed, distribution and identity. Its pixels are the same on every machine, its file
/// wherever libjpeg is the same. Values only, so any number may render at once.
package struct PhotoRenderer: Sendable, Hashable {
    /// Other seeds give other photos.
    package let seed: UInt64
    /// How large the files are.
    package let byteCounts: PhotoByteCounts

    /// Creates a renderer.
    package init(seed: UInt64, byteCounts: PhotoByteCounts = PhotoByteCounts()) {
        self.seed = seed
        self.byteCounts = byteCounts
    }

    /// The byte count that a photo's file comes near to (within a tenth).
    package func targetByteCount(of identity: PhotoIdentity) -> Int {
        var generator = identity.generator(seed: seed, purpose: "byte count")
        return byteCounts.draw(using: &generator)
    }

    /// Paints a photo without encoding it.
    package func pixels(of identity: PhotoIdentity) -> PixelBuffer {
        var generator = identity.generator(seed: seed, purpose: "scene")
        let size = PhotoSize.draw(byteCount: targetByteCount(of: identity), using: &generator)
        return PhotoScene(size: size, using: &generator).paint()
    }

    /// Renders a photo as a JPEG file.
    package func photo(of identity: PhotoIdentity) throws(ImagingError) -> RenderedPhoto {
        var search = PhotoSizeSearch(pixels(of: identity))
        return try search.encode(byteCount: targetByteCount(of: identity))
    }
}

/// A photo as a JPEG file.
package struct RenderedPhoto: Sendable, Hashable {
    /// The file.
    package let bytes: [UInt8]
    /// The picture's width.
    package let pixelWidth: Int
    /// The picture's height.
    package let pixelHeight: Int
    /// The quality that met the wanted byte count, on libjpeg's scale.
    package let quality: Int

    func distance(to byteCount: Int) -> Int { abs(bytes.count - byteCount) }
}

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
