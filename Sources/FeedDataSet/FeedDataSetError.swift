// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why a feed could not be loaded.
package struct FeedDataSetError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure, for code to branch on.
    package struct Code: Hashable, Sendable {
        private enum Kind {
            case notFound
            case unreadable
            case malformed
            case invalid
            case limitExceeded
            case imageNotFound
            case imageUnusable
        }

        private let kind: Kind

        /// Nothing is at the path, or nothing of use.
        package static let notFound = Self(kind: .notFound)
        /// The system refused to read a file or folder.
        package static let unreadable = Self(kind: .unreadable)
        /// The file is no JSON, or a key is missing or has another type.
        package static let malformed = Self(kind: .malformed)
        /// A value breaks a rule of the feed: a repeated id, an unknown owner.
        package static let invalid = Self(kind: .invalid)
        /// There is more of something than `FeedLimits` allows.
        static let limitExceeded = Self(kind: .limitExceeded)
        /// A post lacks one of its images.
        package static let imageNotFound = Self(kind: .imageNotFound)
        /// An image is of no known format, cut short, corrupt or too large.
        package static let imageUnusable = Self(kind: .imageUnusable)
    }

    /// The kind of failure.
    package var code: Code
    /// The problem, with its file or path in the JSON, and how to remedy it.
    package var message: String

    /// The message alone.
    package var description: String { message }
}

extension FeedDataSetError {
    static func notJSON(_ detail: String) -> Self {
        Self(code: .malformed, message: "feed.json is not valid JSON: \(detail)")
    }

    static func missing(_ path: String, expected: String) -> Self {
        Self(code: .malformed, message: "\(path): missing; expected \(expected)")
    }

    static func illTyped(_ path: String, expected: String) -> Self {
        Self(code: .malformed, message: "\(path): expected \(expected)")
    }

    static func illValued(_ path: String, expected: String) -> Self {
        Self(code: .invalid, message: "\(path): expected \(expected)")
    }

    static func repeated(_ path: String, id: String, first: String) -> Self {
        Self(code: .invalid, message: "\(path): \"\(id)\" is also the id of \(first); ids must be unique")
    }

    static func unknownOwner(_ path: String, id: String) -> Self {
        Self(code: .invalid, message: "\(path): no user has the id \"\(id)\"; add it to users")
    }

    static func tooMany(_ path: String, count: Int, limit: Int) -> Self {
        Self(code: .limitExceeded, message: "\(path): \(count) entries; the limit is \(limit)")
    }
}
