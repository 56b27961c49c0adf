// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

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

    package static func < (left: Self, right: Self) -> Bool {
        (left.line, left.status, left.byteCount) < (right.line, right.status, right.byteCount)
    }
}

extension TapedRequest: CustomStringConvertible {
    /// `GET /v0/b/… (200, 253,453 bytes)`.
    package var description: String { "\(line) (\(status), \(Figure.count(Int64(byteCount))) bytes)" }
}
