// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

/// The failures by production's names and in its words.
///
/// Source: https://cloud.google.com/storage/docs/xml-api/reference-status (2026-11), and answers quoted in public
/// issues where that page does not give the text.
extension XMLFailure {
    static let accessDenied = Self(403, code: "AccessDenied", message: "Access denied.")
    static let bucketAlreadyOwned = Self(
        409,
        code: "BucketAlreadyOwnedByYou",
        message: "Your previous request to create the named bucket succeeded and you already own it."
    )
    static let bucketNotEmpty = Self(
        409,
        code: "BucketNotEmpty",
        message: "The bucket you tried to delete is not empty."
    )
    static let invalidBucketName = Self(
        400,
        code: "InvalidBucketName",
        message: "The specified bucket is not valid.",
        details: "Use lower-case letters, digits, '.', '-' and '_'."
    )
    static let invalidObjectName = Self(
        400,
        code: "InvalidObjectName",
        message: "The specified object name is not valid.",
        details: "It must be 1 to \(ObjectName.byteCountMax) bytes of UTF-8 without line breaks, and not '.' or '..'."
    )
    static let invalidRange = Self(416, code: "InvalidRange", message: "The requested range cannot be satisfied.")
    static let invalidURI = Self(400, code: "InvalidURI", message: "Couldn't parse the specified URI.")
    static let methodNotAllowed = Self(
        405,
        code: "MethodNotAllowed",
        message: "The specified method is not allowed against this resource."
    )
    static let noSuchBucket = Self(404, code: "NoSuchBucket", message: "The specified bucket does not exist.")
    static let noSuchUpload = Self(404, code: "NoSuchUpload", message: "The requested upload was not found.")
    static let preconditionFailed = Self(
        412,
        code: "PreconditionFailed",
        message: "At least one of the pre-conditions you specified did not hold."
    )

    static func noSuchKey(_ path: ObjectPath) -> Self {
        Self(404, code: "NoSuchKey", message: "The specified key does not exist.", details: "No such object: \(path)")
    }

    static func invalidArgument(_ details: String) -> Self {
        Self(400, code: "InvalidArgument", message: "Invalid argument.", details: details)
    }

    static func badDigest(_ details: String) -> Self {
        Self(
            400,
            code: "BadDigest",
            message: "The Content-MD5 or x-goog-hash you specified did not match what we received.",
            details: details
        )
    }

    static func invalidDigest(_ details: String) -> Self {
        Self(
            400,
            code: "InvalidDigest",
            message: "The Content-MD5 or x-goog-hash you specified was invalid.",
            details: details
        )
    }

    static func malformedXML(_ details: String) -> Self {
        Self(
            400,
            code: "MalformedXML",
            message: "The XML you provided was not well-formed or did not validate against our published schema.",
            details: details
        )
    }

    static func tooLarge(_ details: String) -> Self {
        Self(
            400,
            code: "EntityTooLarge",
            message: "Your proposed upload exceeds the maximum allowed object size.",
            details: details
        )
    }

    /// Google has none of this kind; 500 would be tried again for minutes.
    static func noSpace(_ details: String) -> Self {
        Self(507, code: "InsufficientStorage", message: "There is no room left to store this.", details: details)
    }

    /// 429, which Google's clients repeat, later each time (https://cloud.google.com/storage/docs/retry-strategy, 2026).
    static func slowDown(_ details: String) -> Self {
        Self(429, code: "SlowDown", message: "Please reduce your request rate.", details: details)
    }

    /// An operation that is part of the API but not offered here.
    static func notImplemented(_ what: String) -> Self {
        Self(
            501,
            code: "NotImplemented",
            message: "A header or query you provided requested a function that is not implemented.",
            details: "Firemeter does not offer \(what)."
        )
    }

    static func `internal`(_ details: String) -> Self {
        Self(
            500,
            code: "InternalError",
            message: "We encountered an internal error. Please try again.",
            details: details
        )
    }
}
