// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import Wire

/// An answer other than success.
struct StorageFailure: Error, Equatable {
    /// The part of the request that is to blame, which only the JSON API reports.
    enum Location: Equatable {
        case parameter(String)
        case header(String)
    }

    let status: Int
    let message: String
    /// Google's word for the kind of failure, which only the JSON API reports.
    let reason: String
    var location: Location?
    /// The text of the v0 API, where it differs.
    var firebaseMessage: String?
    /// The API before which production's servers for uploads report this failure themselves, in a form of their own.
    var uploadServerForm: Form?
    /// Whether those servers say nothing but the message, before either API.
    var isBare = false

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

    /// The answer to a project whose quota is used up (an answer quoted in HKWordle#8, 2022-07).
    static let quotaExceeded = Self(
        status: 402,
        message: "Quota has been exceeded for this project. Please visit the Firebase pricing page to learn more.",
        reason: "quotaExceeded"
    )

    /// The answer to an upload or change that must not happen any more: the empty 304 that production gives to writes too.
    static let notModified = Self(status: 304, message: "Not Modified", reason: "notModified")

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
}

extension StorageFailure {
    /// Translates what went wrong below.
    init(_ error: any Error) {
        switch error {
        case let failure as StorageFailure: self = failure
        case let failure as MultipartRelatedParser.Failure: self.init(failure)
        case let error as ObjectStoreError: self.init(error)
        case is StorageRefusal: self = .permissionDenied
        case let error as BudgetExceeded: self.init(error)
        default: self.init(status: 500, message: "Internal error: \(error)", reason: "internalError")
        }
    }

    /// 429, which Google's clients repeat, later each time (https://cloud.google.com/storage/docs/retry-strategy, 2026).
    private init(_ error: BudgetExceeded) {
        self.init(status: 429, message: error.message, reason: "rateLimitExceeded")
    }

    private init(_ error: ObjectStoreError) {
        switch error.code {
        case .preconditionFailed: self = .preconditionFailed
        case .notModified: self = .notModified
        case .componentMissing: self.init(status: 404, message: error.message, reason: "notFound")
        case .held: self.init(status: 403, message: error.message, reason: "objectUnderActiveHold")
        case .retained: self.init(status: 403, message: error.message, reason: "retentionPolicyNotMet")
        case .uploadEnded: self = .uploadGone
        case .tooLarge: self.init(status: 413, message: error.message, reason: "uploadTooLarge")
        case .hashMismatch, .invalidAttribute, .invalidPageToken: self = .invalid(error.message)
        case .bucketExists: self = .bucketExists
        case .bucketNotEmpty: self = .bucketNotEmpty
        // Clients try 500 again for minutes (google-cloud-storage 3.1 does not try 507 again).
        case .diskFull:
            self.init(status: 507, message: "Insufficient Storage: \(error.message)", reason: "internalError")
        default: self.init(status: 500, message: "Internal error: \(error.message)", reason: "internalError")
        }
    }
}
