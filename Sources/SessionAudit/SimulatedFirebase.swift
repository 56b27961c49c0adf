// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Auditing
package import FeedClient
import Foundation
package import LocalFirebase
import Metering

/// The servers of an emulator, as a simulation asks them.
package struct SimulatedFirebase: FirebaseAnswering {
    private let servers: DirectServers

    /// Asks these servers.
    package init(servers: DirectServers) { self.servers = servers }

    package func answer(to request: TransportRequest) async throws -> FirebaseAnswer {
        let answer = try await servers.answer(
            request.url.host == SimulatedEndpoint.firestore.host ? .firestore : .storage,
            method: request.method,
            target: request.target,
            // As URLSession asks: objects stored with gzip come as they are stored.
            headers: request.headers.merging(["Accept-Encoding": "deflate, gzip"]) { own, _ in own },
            body: request.body.map(Array.init) ?? []
        )
        let response = TransportResponse(
            status: answer.status,
            headers: HeaderFields(answer.headers),
            body: Data(answer.body)
        )
        return FirebaseAnswer(response: response, byteCount: answer.body.count, billed: answer.billed)
    }
}
