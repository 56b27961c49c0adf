// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import SessionLog

/// Remembers the requests that pass.
final class RecordingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let sent = Locked<[TransportRequest]>([])

    init(_ base: any HTTPTransport) { self.base = base }

    var requests: [TransportRequest] { sent.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        sent.withLock { $0.append(request) }
        return try await base.send(request)
    }
}
