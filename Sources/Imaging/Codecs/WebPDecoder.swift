// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(CImageCodecs)
import CImageCodecs

/// Reads WebP files, lossy and lossless, with and without alpha; of an animation its first frame.
package enum WebPDecoder {
    /// Decodes a file at `1 / scaleDenominator` of its sides, rounded up, and keeps its alpha.
    ///
    /// The whole is decoded whatever the scale; only the result is smaller.
    package static func decode(_ bytes: [UInt8], scaleDenominator: Int = 1) throws(ImagingError) -> PixelBuffer {
        precondition(scaleDenominator > 0, "the scale denominator is not positive (is \(scaleDenominator))")
        let info = try ImageInspector.inspect(bytes)
        guard info.format == .webp else { throw .corrupt(.webp, detail: "another format's file") }
        try WebPStructure.verify(bytes)
        let (width, height) = (info.pixelWidth, info.pixelHeight)
        guard let frame = try WebPStructure.firstFrame(bytes) else {
            return try decodePicture(bytes, width: width, height: height, scaleDenominator: scaleDenominator)
        }
        let (right, bottom) = (frame.x + frame.width, frame.y + frame.height)
        guard right <= width, bottom <= height else {
            throw .corrupt(.webp, detail: "a frame of \(right)x\(bottom), not within \(width)x\(height)")
        }
        guard (frame.width, frame.height) != (width, height) else {
            return try decodePicture(frame.bytes, width: width, height: height, scaleDenominator: scaleDenominator)
        }
        return try decodePicture(frame.bytes, width: frame.width, height: frame.height, scaleDenominator: 1)
            .onTransparentCanvas(width: width, height: height, x: frame.x, y: frame.y)
            .reduced(
                to: (width + scaleDenominator - 1) / scaleDenominator,
                height: (height + scaleDenominator - 1) / scaleDenominator,
                format: .webp
            )
    }

    /// Decodes a file, or the chunks of a frame, that must have this size.
    private static func decodePicture(
        _ bytes: [UInt8],
        width: Int,
        height: Int,
        scaleDenominator: Int
    ) throws(ImagingError) -> PixelBuffer {
        var storedWidth: Int32 = 0
        var storedHeight: Int32 = 0
        try callCodec(.webp) { webp_codec_size(bytes, bytes.count, &storedWidth, &storedHeight, $0) }
        guard Int(storedWidth) == width, Int(storedHeight) == height else {
            throw .corrupt(
                .webp,
                detail: "its picture is \(storedWidth)x\(storedHeight), not as large as the file says"
            )
        }
        let width = (width + scaleDenominator - 1) / scaleDenominator
        let height = (height + scaleDenominator - 1) / scaleDenominator
        let pixels = try decodePixels(.webp, byteCount: width * height * (PixelBuffer.channelCount + 1)) {
            rgba,
            message in
            webp_codec_decode(
                bytes,
                bytes.count,
                Int32(width),
                Int32(height),
                rgba.baseAddress,
                rgba.count,
                message
            )
        }
        return PixelBuffer(width: width, height: height, rgba: pixels)
    }
}

extension PixelBuffer {
    /// The picture with transparent pixels around it.
    fileprivate func onTransparentCanvas(width: Int, height: Int, x: Int, y: Int) -> PixelBuffer {
        var canvas = [UInt8](repeating: 0, count: width * height * Self.channelCount)
        var canvasAlpha = [UInt8](repeating: 0, count: width * height)
        for row in 0..<self.height {
            let (source, target) = (row * self.width, (y + row) * width + x)
            for pixel in 0..<self.width { canvasAlpha[target + pixel] = alpha?[source + pixel] ?? .max }
            let samples = source * Self.channelCount..<(source + self.width) * Self.channelCount
            let start = target * Self.channelCount
            canvas.replaceSubrange(start..<start + samples.count, with: bytes[samples])
        }
        return PixelBuffer(width: width, height: height, bytes: canvas, alpha: canvasAlpha)
    }
}
#endif
