// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Auditing
package import FeedClient
import Foundation
package import LocalFirebase
import Metering

/// The servers of an emulator, as a simulation asks them; those whose answers are kept are started for other questions only.
package struct SimulatedFirebase: FirebaseAnswering {
    private enum Source {
        case servers(DirectServers)
        case kept(KeptAnswers, ServersGate)
    }

    private let source: Source

    /// Asks these servers.
    package init(servers: DirectServers) { source = .servers(servers) }

    /// Asks for what is kept, then the servers.
    init(_ kept: KeptAnswers, else gate: ServersGate) { source = .kept(kept, gate) }

    package func answer(to request: TransportRequest) async throws -> FirebaseAnswer {
        switch source {
        case .servers(let servers): return FirebaseAnswer(try await servers.answer(to: request))
        case .kept(let kept, let gate):
            if let answer = kept.answer(to: request) { return answer }
            let answer = try await gate.servers().answer(to: request)
            kept.keep(answer, to: request)
            return FirebaseAnswer(answer)
        }
    }
}

extension DirectServers {
    fileprivate func answer(to request: TransportRequest) async throws -> Answer {
        try await answer(
            request.url.host == SimulatedEndpoint.firestore.host ? .firestore : .storage,
            method: request.method,
            target: request.target,
            // As URLSession asks: objects stored with gzip come as they are stored.
            headers: request.headers.merging(["Accept-Encoding": "deflate, gzip"]) { own, _ in own },
            body: request.body.map(Array.init) ?? []
        )
    }
}

extension FirebaseAnswer {
    fileprivate init(_ answer: DirectServers.Answer) {
        let response = TransportResponse(
            status: answer.status,
            headers: HeaderFields(answer.headers),
            body: Data(answer.body)
        )
        self.init(response: response, byteCount: answer.body.count, billed: answer.billed)
    }
}
