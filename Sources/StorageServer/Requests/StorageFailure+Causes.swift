// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

extension StorageFailure {
    /// Translates what went wrong below.
    init(_ error: any Error) {
        switch error {
        case let failure as StorageFailure: self = failure
        case let failure as MultipartRelatedParser.Failure: self.init(failure)
        case let error as ObjectStoreError: self.init(error)
        default: self.init(status: 500, message: "Internal error: \(error)", reason: "internalError")
        }
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
        default: self.init(status: 500, message: "Internal error: \(error.message)", reason: "internalError")
        }
    }
}
