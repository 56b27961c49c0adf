// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
package import Metering

/// A Firebase that is asked without a socket: what a simulation knows of the servers.
package protocol FirebaseAnswering: Sendable {
    /// Answers a request, whose address has the host ``SimulatedEndpoint/firestore`` or ``SimulatedEndpoint/storage``.
    func answer(to request: TransportRequest) async throws -> FirebaseAnswer
}

/// An answer, and what it is billed.
package struct FirebaseAnswer: Sendable {
    /// The response.
    package let response: TransportResponse
    /// The bytes of its body.
    package let byteCount: Int
    /// The bill when all of it is sent.
    package let billed: BilledUsage

    /// Creates an answer.
    package init(response: TransportResponse, byteCount: Int, billed: BilledUsage) {
        self.response = response
        self.byteCount = byteCount
        self.billed = billed
    }
}

/// One request of a view and how it ended, for holding a simulation against the real client.
package struct TapedRequest: Sendable, Hashable, Comparable {
    /// The method and the address without its host, such as `GET /v0/b/…`.
    package let line: String
    /// The status of the response; 0 when none came.
    package internal(set) var status = 0
    /// The bytes of the response's body.
    package internal(set) var byteCount = 0

    /// Tapes a request that has no response yet.
    init(_ request: TransportRequest) {
        line = "\(request.method) \(request.target)"
    }

    /// Tapes a request and its response.
    init(_ exchange: FeedCatalog.Exchange) {
        self.init(exchange.request)
        (status, byteCount) = (exchange.status, exchange.byteCount)
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.line, left.status, left.byteCount) < (right.line, right.status, right.byteCount)
    }
}

extension TapedRequest: CustomStringConvertible {
    /// `GET /v0/b/… (200, 253,453 bytes)`.
    package var description: String { "\(line) (\(status), \(Figure.count(Int64(byteCount))) bytes)" }
}
