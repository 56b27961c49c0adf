// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(CImageCodecs)
import CImageCodecs

extension PixelBuffer {
    /// A copy no wider and no higher, each pixel the mean of the area that it covers.
    func reduced(to width: Int, height: Int, format: ImageFormat) throws(ImagingError) -> PixelBuffer {
        guard (width, height) != (self.width, self.height) else { return self }
        let bytes = try reduced(bytes, channelCount: Self.channelCount, width: width, height: height, format: format)
        guard let alpha else { return PixelBuffer(width: width, height: height, bytes: bytes) }
        let reducedAlpha = try reduced(alpha, channelCount: 1, width: width, height: height, format: format)
        return PixelBuffer(width: width, height: height, bytes: bytes, alpha: reducedAlpha)
    }

    private func reduced(
        _ samples: [UInt8],
        channelCount: Int,
        width: Int,
        height: Int,
        format: ImageFormat
    ) throws(ImagingError) -> [UInt8] {
        try decodePixels(format, byteCount: width * height * channelCount) { reduced, message in
            image_reduce(
                samples,
                Int32(channelCount),
                Int32(self.width),
                Int32(self.height),
                reduced.baseAddress,
                Int32(width),
                Int32(height),
                message
            )
        }
    }
}
#endif
