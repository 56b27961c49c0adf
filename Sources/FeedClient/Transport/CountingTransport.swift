// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog

/// Counts what passes through another transport.
package final class CountingTransport: HTTPTransport {
    /// The bytes that have passed so far.
    package struct Counts: Sendable, Hashable {
        /// The requests sent, including those that got no response.
        package var requests = 0
        /// The body bytes of the requests sent.
        package var requestBodyBytes = 0
        /// The body bytes received, after any content encoding was undone; also of responses that broke off.
        package var responseBodyBytes = 0

        /// Creates a count of nothing.
        package init() {}
    }

    private let base: any HTTPTransport
    private let state = Locked(Counts())

    /// Wraps a transport.
    package init(_ base: any HTTPTransport) { self.base = base }

    /// The bytes that have passed so far.
    package var counts: Counts { state.withLock { $0 } }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        state.withLock { counts in
            counts.requests += 1
            counts.requestBodyBytes += request.body?.count ?? 0
        }
        var response = try await base.send(request)
        response.body = response.body.observed(by: { [state] piece in
            state.withLock { $0.responseBodyBytes += piece.count }
        })
        return response
    }
}
