// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog

/// Answers every request alike and remembers them.
final class StubTransport: HTTPTransport {
    private let answer: @Sendable () throws -> TransportResponse
    private let sent = Locked<[TransportRequest]>([])

    init(_ answer: @escaping @Sendable () throws -> TransportResponse) { self.answer = answer }

    convenience init(status: Int = 200, _ body: String) {
        self.init { TransportResponse(status: status, body: Data(body.utf8)) }
    }

    var requests: [TransportRequest] { sent.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        sent.withLock { $0.append(request) }
        return try answer()
    }
}
