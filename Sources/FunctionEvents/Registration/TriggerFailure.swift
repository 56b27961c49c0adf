// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why a registration of a trigger was refused.
struct TriggerFailure: Error, Sendable, Equatable {
    /// The kind of refusal, named as in `google.rpc.Code`.
    enum Code: String, Sendable {
        case invalidArgument = "INVALID_ARGUMENT"
        case notFound = "NOT_FOUND"
        case resourceExhausted = "RESOURCE_EXHAUSTED"
        case failedPrecondition = "FAILED_PRECONDITION"

        /// The HTTP status, as `google/rpc/code.proto` documents it.
        var status: Int {
            switch self {
            case .invalidArgument, .failedPrecondition: 400
            case .notFound: 404
            case .resourceExhausted: 429
            }
        }
    }

    let code: Code
    let message: String

    private init(_ code: Code, _ message: String) {
        (self.code, self.message) = (code, message)
    }
}

extension TriggerFailure {
    static var bodyTooLong: Self {
        Self(.invalidArgument, "A registration has at most \(TriggerRequests.bodyByteCountMax) bytes.")
    }

    static func malformedBody(_ reason: String) -> Self {
        Self(.invalidArgument, "Invalid JSON payload received. \(reason)")
    }

    static func missing(_ field: String) -> Self {
        Self(.invalidArgument, "The trigger has no \(field), or one that is not a text.")
    }

    static var invalidKey: Self {
        Self(
            .invalidArgument,
            "The trigger needs a name of 1 to \(DocumentTrigger.keyByteCountMax) bytes without control characters."
        )
    }

    static func unknownEventType(_ type: String) -> Self {
        Self(.invalidArgument, "\(quoted(type)) is not a type of Cloud Firestore's events.")
    }

    static func unknownMatchType(_ type: String) -> Self {
        Self(.invalidArgument, "The matchType is EXACT or PATH_PATTERN, not \(quoted(type)).")
    }

    static func malformedResource(_ resource: String) -> Self {
        Self(
            .invalidArgument,
            "The resource is not of the form projects/P/databases/D/documents/PATTERN: \(quoted(resource))."
        )
    }

    static func foreignProject(_ project: String, expected: String) -> Self {
        Self(.invalidArgument, "The resource is of the project \(quoted(project)), not of \(quoted(expected)).")
    }

    static var patternTooLong: Self {
        Self(.invalidArgument, "A document pattern has at most \(PathPattern.byteCountMax) bytes.")
    }

    static func malformedPattern(_ pattern: String) -> Self {
        Self(.invalidArgument, "The document pattern \(quoted(pattern)) is malformed.")
    }

    static func severalMultiSegmentWildcards(_ pattern: String) -> Self {
        Self(.invalidArgument, "The document pattern \(quoted(pattern)) has more than one multi-segment wildcard.")
    }

    static func notOfDocuments(_ pattern: String) -> Self {
        Self(
            .invalidArgument,
            "The pattern \(quoted(pattern)) is of collections: documents have an even number of parts."
        )
    }

    static var tooManyTriggers: Self {
        Self(.resourceExhausted, "At most \(TriggerRegistry.triggerCountMax) triggers can be registered.")
    }

    static func notRegistered(_ key: String) -> Self {
        Self(.notFound, "The trigger \(quoted(key)) is not registered.")
    }

    static var unaddressed: Self {
        Self(
            .failedPrecondition,
            "The address of the Functions emulator is unknown: start Firemeter with --functions HOST:PORT."
        )
    }

    /// A text of the client's, cut where it is long.
    private static func quoted(_ text: String) -> String {
        let charactersMax = 200
        return "'\(text.count > charactersMax ? text.prefix(charactersMax) + "..." : text[...])'"
    }
}
