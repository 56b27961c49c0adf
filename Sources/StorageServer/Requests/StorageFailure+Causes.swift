// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import Wire

extension StorageFailure {
    /// Translates what went wrong below.
    init(_ error: any Error) {
        switch error {
        case let failure as StorageFailure: self = failure
        case let failure as MultipartRelatedParser.Failure: self.init(failure)
        case let error as ObjectStoreError: self.init(error)
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
