// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import Wire

extension XMLFailure {
    /// Translates what went wrong below.
    init(_ error: any Error) {
        switch error {
        case let failure as XMLFailure: self = failure
        case let failure as StorageFailure: self.init(failure)
        case let failure as XMLReader.Failure: self = .malformedXML(failure.message)
        case let failure as FormDataParser.Failure: self.init(failure)
        case let failure as PostPolicy.Failure: self.init(failure)
        case let error as PartStoringError: self.init(error)
        case let error as ObjectStoreError: self.init(error)
        case let error as BudgetExceeded: self = .slowDown(error.message)
        default: self = .internal("\(error)")
        }
    }

    private init(_ failure: StorageFailure) {
        switch failure.status {
        case _ where failure == .noSuchUpload: self = .noSuchUpload
        case 400: self = .invalidArgument(failure.message)
        case 402: self.init(402, code: "QuotaExceeded", message: failure.message)
        case 403: self = .accessDenied
        case 412: self = .preconditionFailed
        case 413: self = .tooLarge(failure.message)
        case 429: self = .slowDown(failure.message)
        case 501: self = .notImplemented(failure.message)
        case 507: self = .noSpace(failure.message)
        default: self = .internal(failure.message)
        }
    }

    private init(_ error: ObjectStoreError) {
        switch error.code {
        case .preconditionFailed, .notModified: self = .preconditionFailed
        case .held, .retained: self.init(403, code: "AccessDenied", message: "Access denied.", details: error.message)
        case .uploadEnded: self = .noSuchUpload
        case .tooLarge: self = .tooLarge(error.message)
        case .hashMismatch: self = .badDigest(error.message)
        case .invalidAttribute:
            self.init(400, code: "MetadataTooLarge", message: "Invalid metadata.", details: error.message)
        case .invalidPageToken: self = .invalidArgument(error.message)
        case .bucketExists: self = .bucketAlreadyOwned
        case .bucketNotEmpty: self = .bucketNotEmpty
        case .diskFull: self = .noSpace(error.message)
        default: self = .internal(error.message)
        }
    }
}

extension XMLReader.Failure {
    /// The problem, and how to remedy it.
    var message: String {
        switch self {
        case .tooLarge:
            "The document may have at most \(XMLReader.byteCountMax) bytes and \(XMLReader.elementCountMax) elements."
        case .tooDeep: "The document may nest at most \(XMLReader.depthMax) elements."
        case .malformed(let offset): "The document is broken at byte \(offset)."
        case .unsupported(let offset):
            "The document holds a declaration or an instruction at byte \(offset); leave it out."
        }
    }
}
