// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
package import JSON
import NIOCore
import NIOHTTP1

/// Why an HTTP/1.1 request is answered before its service sees it.
package struct HeadRefusal: Sendable, Equatable {
    /// The HTTP status.
    package let status: Int
    /// The problem, and how to remedy it.
    package let message: String

    // RFC 9112 section 3.2 asks for a 400 in both cases.
    static let hostMissing = Self(status: 400, message: "The request has no Host field; HTTP/1.1 needs one.")
    static let hostRepeated = Self(status: 400, message: "The request has more than one Host field.")

    static let targetTooLong = Self(
        status: 414,
        message: "The request line is longer than \(HeadLimits.fieldByteCountMax) bytes."
    )

    static let headTooLarge = Self(
        status: 431,
        message: """
            The request's head is too large: a field may have \(HeadLimits.fieldByteCountMax) bytes, \
            all of them \(HeadLimits.headByteCountMax), and there may be \(HeadLimits.fieldCountMax).
            """
    )

    private static let hostName = HTTPField.Name("Host")

    private init(status: Int, message: String) {
        self.status = status
        self.message = message
    }

    /// Words a fault of the decoder.
    ///
    /// - Parameters:
    ///   - error: The fault.
    ///   - requestLineByteCount: The length of the head's first line, if it is known.
    init(_ error: HTTPParserError, requestLineByteCount: Int) {
        switch error {
        case .headerOverflow:
            self = requestLineByteCount > HeadLimits.fieldByteCountMax ? .targetTooLong : .headTooLarge
        default: self.init(status: 400, message: "The request cannot be read: \(error.debugDescription).")
        }
    }

    /// Judges the `Host` field; returns `nil` when there is one.
    init?(hostOf head: HTTPRequest) {
        // The first is the request's authority, and only another one is left among the fields.
        if head.authority == nil {
            self = .hostMissing
        } else if let name = Self.hostName, head.headerFields[name] != nil {
            self = .hostRepeated
        } else {
            return nil
        }
    }
}

extension WireService {
    /// The form of Google's JSON interfaces.
    package func errorBody(of refusal: HeadRefusal) -> JSONText {
        let error: [(String, JSONText)] = [
            ("code", .integer(Int64(refusal.status))), ("message", .string(refusal.message)),
            ("status", "INVALID_ARGUMENT"),
        ]
        return .object([("error", .object(error))])
    }

    /// The answer to a request that its head alone refuses: by its host, or the length that it declares.
    func refusal(of request: Request, in exchange: Exchange) -> Response? {
        if let refusal = HeadRefusal(hostOf: request.head) { return refuse(refusal) }
        let declared = request.headers[.contentLength].flatMap(Int64.init) ?? 0
        return declared > bodyByteCountMax ? refuseBody(exchange: exchange) : nil
    }

    /// The whole answer to a request that is refused for its head.
    func refuse(_ refusal: HeadRefusal) -> Response {
        .json(errorBody(of: refusal), status: refusal.status)
    }
}

/// The named limits of a head over HTTP/1.1.
enum HeadLimits {
    /// A field's name and value, or the target of the request.
    static let fieldByteCountMax = 80 << 10
    /// All fields together.
    static let headByteCountMax = 2 << 20
    static let fieldCountMax = 256

    static var decoder: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = fieldByteCountMax
        limits.maxHeaderListSize = headByteCountMax
        limits.maxHeaderFieldCount = fieldCountMax
        return limits
    }
}
