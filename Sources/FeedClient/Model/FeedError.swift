// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why the feed or one of its images could not be loaded.
public struct FeedError: Error, Sendable, CustomStringConvertible {
    /// The kind of problem.
    public struct Code: Sendable, Hashable {
        private enum Kind {
            case noResponse, serverRefused, responseUnreadable, documentInvalid, postNotLoaded, feedNotOpen
            case superseded, cacheUnusable, damaged, withheld, credentialsMissing, notAnImage, undecodable
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
        /// The ``FirebaseCredentialProvider`` has no tokens; see ``FeedError/cause``.
        public static let credentialsMissing = Self(kind: .credentialsMissing)
        /// A page or a message came in place of an image, as from a network that wants a login.
        public static let notAnImage = Self(kind: .notAnImage)
        /// The image came, but cannot be decoded; see ``FeedError/cause``.
        public static let undecodable = Self(kind: .undecodable)
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

extension FeedError {
    static func noResponse(for subject: String, cause: any Error) -> Self {
        Self(code: .noResponse, message: "\(subject): no response; check the address and the network", cause: cause)
    }

    static func serverRefused(_ subject: String, status: Int, serverMessage: String) -> Self {
        Self(code: .serverRefused, message: "\(subject): \(status) \(serverMessage)", status: status)
    }

    static func responseUnreadable(_ subject: String, problem: String) -> Self {
        Self(code: .responseUnreadable, message: "\(subject): \(problem)")
    }

    static func responseTooLarge(byteCountMax: Int) -> Self {
        Self(code: .responseUnreadable, message: "the response is larger than the limit of \(byteCountMax) bytes")
    }

    static func damaged(_ subject: String) -> Self {
        Self(code: .damaged, message: "\(subject): the bytes that came are not those of the object, by their CRC-32C")
    }

    static func credentialsMissing(because cause: any Error) -> Self {
        Self(code: .credentialsMissing, message: "the user's tokens cannot be had: \(cause)", cause: cause)
    }

    static func notAnImage(_ subject: String, but contents: String) -> Self {
        Self(code: .notAnImage, message: "\(subject): no image came, but \(contents)")
    }

    static func undecodable(_ subject: String, because cause: any Error) -> Self {
        Self(code: .undecodable, message: "\(subject): cannot be decoded: \(cause)", cause: cause)
    }

    static func withheld(_ subject: String, reason: String) -> Self {
        Self(code: .withheld, message: "\(subject): not loaded: \(reason)")
    }

    static func documentInvalid(_ document: String, field: String, problem: String) -> Self {
        Self(code: .documentInvalid, message: "\(document): \(field): \(problem)")
    }

    package static func postNotLoaded(owner: String, id: String) -> Self {
        let message = "post \(id) of \(owner) is on no loaded page; open the feed or scroll to its page first"
        return Self(code: .postNotLoaded, message: message)
    }

    package static func feedNotOpen(_ action: String) -> Self {
        Self(code: .feedNotOpen, message: "\(action): no such list is open; open it first")
    }

    static func superseded(_ list: String, page: Int) -> Self {
        let message = "page \(page) of \(list) came too late: the list was opened anew or the app relaunched"
        return Self(code: .superseded, message: message)
    }

    static func cacheUnusable(_ path: String, cause: any Error) -> Self {
        let message = "cannot use \(path) as disk cache; pass a directory that can be created and written"
        return Self(code: .cacheUnusable, message: message, cause: cause)
    }
}
