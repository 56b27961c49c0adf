// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How many luma samples share one chroma sample in a JPEG.
package enum ChromaSubsampling: Sendable, Hashable, CaseIterable {
    /// One chroma sample for each pixel.
    case yuv444
    /// One chroma sample for two neighbours in a row.
    case yuv422
    /// One chroma sample for a square of four, as phones write.
    case yuv420

    var horizontal: Int32 { self == .yuv444 ? 1 : 2 }
    var vertical: Int32 { self == .yuv420 ? 2 : 1 }
}
