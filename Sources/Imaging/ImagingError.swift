// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why a picture could not be read or written.
package struct ImagingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure, for code to branch on.
    package struct Code: Hashable, Sendable {
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
        package static let unknownFormat = Self(kind: .unknownFormat)
        /// The file ends before the picture does.
        package static let truncated = Self(kind: .truncated)
        /// The bytes break the rules of their format.
        package static let corrupt = Self(kind: .corrupt)
        /// The file may be well, but this build cannot decode it.
        package static let unsupported = Self(kind: .unsupported)
        /// The picture exceeds one of `ImageLimits`.
        package static let tooLarge = Self(kind: .tooLarge)
        /// The codec found no memory.
        package static let outOfMemory = Self(kind: .outOfMemory)
    }

    /// The kind of failure.
    package var code: Code
    /// What went wrong and how to remedy it.
    package var message: String

    /// The message alone.
    package var description: String { message }
}
