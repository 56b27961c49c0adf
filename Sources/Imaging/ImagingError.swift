// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why a picture could not be read or written.
public struct ImagingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, for code to branch on.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case unknownFormat
            case truncated
            case corrupt
            case unsupported
            case tooLarge
            case outOfMemory
        }

        private let kind: Kind

        /// The bytes start like none of the formats known here.
        public static let unknownFormat = Self(kind: .unknownFormat)
        /// The file ends before the picture does.
        public static let truncated = Self(kind: .truncated)
        /// The bytes break the rules of their format.
        public static let corrupt = Self(kind: .corrupt)
        /// The file may be well, but this build cannot decode it.
        public static let unsupported = Self(kind: .unsupported)
        /// The picture exceeds one of `ImageLimits`.
        public static let tooLarge = Self(kind: .tooLarge)
        /// The codec found no memory.
        public static let outOfMemory = Self(kind: .outOfMemory)
    }

    /// The kind of failure.
    public let code: Code
    /// The problem, and how to remedy it.
    public let message: String

    /// The message alone.
    public var description: String { message }
}

extension ImagingError {
    static var unknownFormat: Self {
        Self(
            code: .unknownFormat,
            message: "not an image of a known format; JPEG, PNG, GIF, WebP, HEIC and AVIF are read"
        )
    }

    static func truncated(_ format: ImageFormat, detail: String) -> Self {
        Self(code: .truncated, message: "truncated \(format.displayName) file: \(detail); copy it again")
    }

    static func corrupt(_ format: ImageFormat, detail: String) -> Self {
        Self(code: .corrupt, message: "corrupt \(format.displayName) file: \(detail)")
    }

    static func unsupported(_ format: ImageFormat, detail: String) -> Self {
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
