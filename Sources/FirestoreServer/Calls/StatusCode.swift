// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How a call ends, in gRPC's numbers (google.rpc.Code).
package enum StatusCode: Int32, Sendable, CaseIterable {
    case ok = 0
    case cancelled = 1
    case unknown = 2
    case invalidArgument = 3
    case deadlineExceeded = 4
    case notFound = 5
    case alreadyExists = 6
    case permissionDenied = 7
    case resourceExhausted = 8
    case failedPrecondition = 9
    case aborted = 10
    case outOfRange = 11
    case unimplemented = 12
    case `internal` = 13
    case unavailable = 14
    case dataLoss = 15
    case unauthenticated = 16

    private static let names = [
        "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
        "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
        "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
    ]

    /// The name in JSON errors, such as `INVALID_ARGUMENT`.
    package var name: String { Self.names[Int(rawValue)] }

    /// The HTTP status of a REST answer, as google.rpc.Code documents the mapping.
    package var httpStatus: Int {
        switch self {
        case .ok: 200
        case .invalidArgument, .failedPrecondition, .outOfRange: 400
        case .unauthenticated: 401
        case .permissionDenied: 403
        case .notFound: 404
        case .aborted, .alreadyExists: 409
        case .resourceExhausted: 429
        case .cancelled: 499
        case .unknown, .internal, .dataLoss: 500
        case .unimplemented: 501
        case .unavailable: 503
        case .deadlineExceeded: 504
        }
    }

    /// The code that an HTTP status stands for, by the first that has it; other statuses are those of their class.
    package init(httpStatus: Int) {
        switch httpStatus {
        case 409: self = .aborted
        case 500: self = .internal
        default:
            let code = Self.allCases.dropFirst().first { $0.httpStatus == httpStatus }
            self = code ?? (httpStatus < 500 ? .invalidArgument : .unavailable)
        }
    }
}
