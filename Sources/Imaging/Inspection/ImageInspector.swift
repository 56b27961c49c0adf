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
        case .heic, .avif: return try HEIFStructure.info(bytes, format: format)
        }
    }

    /// Proves that a file is whole.
    ///
    /// JPEG and PNG are decoded to the last pixel, keeping one row; what libjpeg only warns of and patches with grey
    /// is an error. GIF is followed block by block to its trailer, WebP to its declared length, and of HEIC and AVIF the
    /// data of all pictures must be there.
    @discardableResult
    package static func verify(_ bytes: [UInt8]) throws(ImagingError) -> ImageInfo {
        let info = try inspect(bytes)
        switch info.format {
        #if canImport(CImageCodecs)
        case .jpeg: try JPEGDecoder.verify(bytes)
        case .png: try PNGDecoder.verify(bytes)
        #else
        case .jpeg, .png: _ = try SystemDecoder.decode(bytes, info: info, scaleDenominator: 1)
        #endif
        case .gif: try GIFStructure.verify(bytes)
        case .webp: try WebPStructure.verify(bytes)
        case .heic, .avif: try HEIFStructure.verify(bytes, format: info.format)
        }
        return info
    }
}

/// The header of an image file.
package struct ImageInfo: Sendable, Hashable {
    /// The file's format, from its bytes; names and declared types are not trusted.
    package let format: ImageFormat
    /// The width as decoded; an orientation in EXIF is not applied.
    package let pixelWidth: Int
    /// The height as decoded; an orientation in EXIF is not applied.
    package let pixelHeight: Int
    /// The EXIF orientation, 1 to 8; 1 where the bytes that were read have none.
    ///
    /// JPEG has it before the picture, WebP behind it, PNG on either side. HEIC and AVIF have properties of their own in its
    /// place, which are part of decoding: their orientation here is 1, and their sides are those that are seen.
    package let orientation: Int

    /// The width of the picture as it is seen.
    package var uprightWidth: Int { orientation > 4 ? pixelHeight : pixelWidth }
    /// The height of the picture as it is seen.
    package var uprightHeight: Int { orientation > 4 ? pixelWidth : pixelHeight }

    /// The media type of the format, for example `image/jpeg`.
    package var contentType: String { format.contentType }

    /// Refuses pictures without pixels and those beyond `ImageLimits.pixelCountMax`.
    init(format: ImageFormat, pixelWidth: Int, pixelHeight: Int, orientation: Int = 1) throws(ImagingError) {
        guard pixelWidth > 0, pixelHeight > 0 else {
            throw .corrupt(format, detail: "its size is \(pixelWidth)x\(pixelHeight)")
        }
        // A quotient, for the product of two 32-bit sides may overflow on a small machine.
        guard pixelWidth <= ImageLimits.pixelCountMax / pixelHeight else {
            throw .tooLarge(width: pixelWidth, height: pixelHeight)
        }
        self.format = format
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.orientation = orientation
    }
}

/// The image formats that can be distinguished.
package enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    case jpeg
    case png
    case gif
    case webp
    /// HEIF with HEVC, as iPhones take photographs.
    case heic
    /// HEIF with AV1.
    case avif

    /// The media type, for example `image/jpeg`.
    package var contentType: String { "image/\(rawValue)" }

    /// The name as people write it.
    var displayName: String {
        switch self {
        case .jpeg: "JPEG"
        case .png: "PNG"
        case .gif: "GIF"
        case .webp: "WebP"
        case .heic: "HEIC"
        case .avif: "AVIF"
        }
    }

    /// The format announced by a file's first bytes, or `nil`.
    init?(signatureOf bytes: [UInt8]) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: PNGStructure.signature) {
            self = .png
        } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
            self = .gif
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else if let format = HEIFStructure.format(of: bytes) {
            self = format
        } else {
            return nil
        }
    }
}
