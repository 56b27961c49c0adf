// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension ImagingError {
    static var unknownFormat: Self {
        Self(code: .unknownFormat, message: "not an image of a known format; JPEG, PNG, GIF and WebP are read")
    }

    static func truncated(_ format: ImageFormat, _ detail: String) -> Self {
        Self(code: .truncated, message: "truncated \(format.displayName) file: \(detail); copy it again")
    }

    static func corrupt(_ format: ImageFormat, _ detail: String) -> Self {
        Self(code: .corrupt, message: "corrupt \(format.displayName) file: \(detail)")
    }

    static func unsupported(_ format: ImageFormat, _ detail: String) -> Self {
        Self(code: .unsupported, message: "this \(format.displayName) file cannot be decoded: \(detail)")
    }

    static func tooLarge(width: Int, height: Int) -> Self {
        Self(
            code: .tooLarge,
            message: "the image is \(width)x\(height) pixels; the limit is \(ImageLimits.pixelCountMax) in all"
        )
    }

    static func sideTooLong(width: Int, height: Int) -> Self {
        Self(
            code: .tooLarge,
            message: "the image is \(width)x\(height) pixels; a JPEG's side is at most \(ImageLimits.jpegSideMax)"
        )
    }

    static func outOfMemory(_ format: ImageFormat) -> Self {
        Self(code: .outOfMemory, message: "no memory for the \(format.displayName) codec")
    }
}
