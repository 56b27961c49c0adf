// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Recognizes an image file without decoding it.
package enum ImageInspector {
    /// No header with a size is longer; JPEGs may have large profiles and thumbnails before it.
    package static let headerByteCountMax = 1 << 20

    /// Reads format and dimensions from a file's header; its first bytes are enough if they hold the header.
    package static func inspect(_ bytes: [UInt8]) throws(ImagingError) -> ImageInfo {
        guard let format = ImageFormat(signatureOf: bytes) else { throw .unknownFormat }
        switch format {
        case .jpeg: return try JPEGStructure.info(bytes)
        case .png: return try PNGStructure.info(bytes)
        case .gif: return try GIFStructure.info(bytes)
        case .webp: return try WebPStructure.info(bytes)
        }
    }

    /// Proves that a file is whole.
    ///
    /// JPEG and PNG are decoded to the last pixel, keeping one row; what libjpeg only warns of and patches with grey
    /// is an error. GIF is followed block by block to its trailer and WebP to its declared length.
    @discardableResult
    package static func verify(_ bytes: [UInt8]) throws(ImagingError) -> ImageInfo {
        let info = try inspect(bytes)
        switch info.format {
        #if canImport(CImageCodecs)
        case .jpeg: try JPEGDecoder.verify(bytes)
        case .png: try PNGDecoder.verify(bytes)
        #else
        case .jpeg, .png: _ = try SystemDecoder.decode(bytes, info, scaleDenominator: 1)
        #endif
        case .gif: try GIFStructure.verify(bytes)
        case .webp: try WebPStructure.verify(bytes)
        }
        return info
    }
}
