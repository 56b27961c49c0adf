// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The limits of Imaging.
enum ImageLimits {
    /// The most pixels of one picture, 100 megapixels; decoded to RGB they take 300 MB, while an alpha is taken apart 800 MB.
    package static let pixelCountMax = 100_000_000
    /// The longest side that a JPEG can have in libjpeg (`JPEG_MAX_DIMENSION`, libjpeg-turbo 2.1.5).
    static let jpegSideMax = 65_500
}
