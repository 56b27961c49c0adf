// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation

/// Answers as a console would, or does not.
struct StubConsole: HTTPTransport {
    struct Silence: Error {}

    static let emulators = """
        {"firestore":{"name":"firestore","host":"127.0.0.1","port":8080},
         "storage":{"name":"storage","host":"127.0.0.1","port":9199},
         "console":{"name":"console","host":"127.0.0.1","port":4000}}
        """

    /// Status and body by method and path.
    var answers: [String: (status: Int, body: String)] = ["GET /emulators": (200, emulators)]

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let query = request.url.query.map { "?\($0)" } ?? ""
        guard let (status, body) = answers["\(request.method) \(request.url.path)\(query)"] else { throw Silence() }
        return TransportResponse(status: status, body: Data(body.utf8))
    }
}
