// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

/// An answer other than success.
struct StorageFailure: Error, Equatable {
    let status: Int
    let message: String
    /// Google's word for the kind of failure, which only the JSON API tells.
    let reason: String

    // The texts recorded from production's v0 API in 2026.
    static let notFound = Self(status: 404, message: "Not Found.", reason: "notFound")
    static let permissionDenied = Self(status: 403, message: "Permission denied.", reason: "forbidden")
    static let badRequest = invalid("Bad Request.")

    static let methodNotAllowed = Self(status: 405, message: "Method Not Allowed.", reason: "methodNotAllowed")
    static let truncatedBody = invalid("The connection ended inside the request's body; nothing was stored.")
    static let truncatedBlob = Self(
        status: 500,
        message: "Internal error: the object's file is shorter than the object.",
        reason: "internalError"
    )

    static func invalid(_ message: String) -> Self {
        Self(status: 400, message: message, reason: "invalid")
    }

    static func tooLarge(limit: Int64) -> Self {
        Self(
            status: 413,
            message: "Request Entity Too Large: an object may have at most \(limit) bytes.",
            reason: "uploadTooLarge"
        )
    }

    static func metadataTooLarge(limit: Int) -> Self {
        invalid("The metadata are larger than the limit of \(limit) bytes.")
    }

    /// An operation that is part of the API but not offered here.
    static func notImplemented(_ what: String) -> Self {
        Self(status: 501, message: "Not Implemented: Firemeter does not offer \(what).", reason: "notImplemented")
    }

    static let resumableNotImplemented = notImplemented(
        "resumable uploads yet; send the object in one request, as a media or multipart upload"
    )
}
