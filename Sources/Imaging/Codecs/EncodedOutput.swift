// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(CImageCodecs)
import CImageCodecs

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Takes over the file that a C codec allocates.
func encodedOutput(
    _ format: ImageFormat,
    _ encode: (
        UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>, UnsafeMutablePointer<CChar>
    ) -> image_codec_status
) throws(ImagingError) -> [UInt8] {
    var output: UnsafeMutablePointer<UInt8>?
    var byteCount = 0
    try callCodec(format) { encode(&output, &byteCount, $0) }
    defer { free(output) }
    return Array(UnsafeBufferPointer(start: output, count: byteCount))
}
#endif
