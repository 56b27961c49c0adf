// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOHPACK
import Wire

/// Why a request does not become a call.
enum RequestRefusal: Error {
    /// Answered in HTTP's own terms, for it is not gRPC.
    case http(status: Int)
    /// Answered as a call that failed.
    case grpc(Status, acceptedEncodings: String?)

    static let unsupportedMediaType = Self.http(status: 415)
    static let methodNotAllowed = Self.http(status: 405)

    static func encodingUnknown(_ name: String) -> Self {
        let message = "The grpc-encoding \(name) is not supported"
        return .grpc(Status(code: .unimplemented, message: message), acceptedEncodings: MessageEncoding.accepted)
    }

    static let timeoutMalformed = Self.grpc(
        Status(code: .internalError, message: "The grpc-timeout is malformed"),
        acceptedEncodings: nil
    )

    static func metadataTooLarge(byteCount: Int) -> Self {
        let limit = GRPCLimits.metadataByteCountMax
        let message = "The metadata is \(byteCount) bytes; the limit is \(limit)"
        return .grpc(Status(code: .resourceExhausted, message: message), acceptedEncodings: nil)
    }

    static func memoryExceeded(_ error: BudgetExceeded) -> Self {
        .grpc(Status(code: .resourceExhausted, message: error.message), acceptedEncodings: nil)
    }

    /// The whole answer.
    var headers: HPACKHeaders {
        switch self {
        case .http(let status):
            [":status": String(status), "content-length": "0"]
        case .grpc(let status, let acceptedEncodings):
            ResponseHeaders.withoutMessages(status, metadata: [:], acceptedEncodings: acceptedEncodings)
        }
    }

    /// The status that the usage shows.
    var httpStatus: Int {
        switch self {
        case .http(let status): status
        case .grpc(let status, _): status.code.httpStatus
        }
    }
}
