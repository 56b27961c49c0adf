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
