// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension CallError {
    /// Takes over a refusal of the store.
    init(_ error: FirestoreError) {
        self.init(
            code: StatusCode(error.code),
            message: error.message,
            details: error.reason.map { [.info(reason: $0)] } ?? []
        )
    }
}

extension CallError {
    /// Takes over whatever a call threw.
    init(anything error: any Error) {
        switch error {
        case let error as CallError: self = error
        case let error as FirestoreError: self.init(error)
        default: self = .unexpected
        }
    }
}

extension StatusCode {
    fileprivate init(_ code: FirestoreError.Code) {
        switch code {
        case .invalidArgument: self = .invalidArgument
        case .notFound: self = .notFound
        case .alreadyExists: self = .alreadyExists
        case .failedPrecondition: self = .failedPrecondition
        case .permissionDenied: self = .permissionDenied
        case .unknown: self = .unknown
        case .aborted: self = .aborted
        case .resourceExhausted: self = .resourceExhausted
        case .unimplemented: self = .unimplemented
        case .unavailable: self = .unavailable
        case .dataLoss: self = .dataLoss
        }
    }
}
