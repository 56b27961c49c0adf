// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why the feed or one of its images could not be loaded.
public struct FeedError: Error, Sendable, CustomStringConvertible {
    /// The kind of problem.
    public struct Code: Sendable, Hashable {
        private enum Kind {
            case noResponse, serverRefused, responseUnreadable, documentInvalid, postNotLoaded, feedNotOpen
            case superseded, cacheUnusable, damaged, withheld
        }
        private let kind: Kind

        /// The server could not be reached, or the connection ended before the response did.
        public static let noResponse = Self(kind: .noResponse)
        /// The server answered with another status than 200; see ``FeedError/status``.
        public static let serverRefused = Self(kind: .serverRefused)
        /// The response is not what the service is documented to send.
        public static let responseUnreadable = Self(kind: .responseUnreadable)
        /// A post's document lacks a field or has one of another type.
        public static let documentInvalid = Self(kind: .documentInvalid)
        /// The post is on no page that was loaded.
        public static let postNotLoaded = Self(kind: .postNotLoaded)
        /// The feed, or the tab, was not opened before.
        public static let feedNotOpen = Self(kind: .feedNotOpen)
        /// The list was replaced while this page of it was loading.
        public static let superseded = Self(kind: .superseded)
        /// The directory of the disk cache cannot be created or listed.
        public static let cacheUnusable = Self(kind: .cacheUnusable)
        /// The image that came is not the one that the server has, by its checksum.
        public static let damaged = Self(kind: .damaged)
        /// The image is in no cache, and a ``DataGuard`` forbids to load it.
        public static let withheld = Self(kind: .withheld)
    }

    /// The kind of problem.
    public let code: Code
    /// The problem, and how to remedy it.
    public let message: String
    /// The HTTP status, when the server refused.
    public let status: Int?
    /// The error underneath, such as the transport's.
    public let cause: (any Error)?

    init(code: Code, message: String, status: Int? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.status = status
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}
