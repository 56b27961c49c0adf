// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import SessionLog

/// Notes every request that passes through another transport, and how it ended.
final class TapingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let tape = Locked<[TapedRequest]>([])
    private let taken = Locked(0)

    init(_ base: any HTTPTransport) { self.base = base }

    /// The requests since the last call; all of them must have ended.
    func takeTape() -> [TapedRequest] {
        let start = taken.withLock { $0 }
        let all = tape.withLock { $0 }
        taken.withLock { $0 = all.count }
        return Array(all[start...])
    }

    /// The status of the last request that was refused.
    var lastRefusal: Int? { tape.withLock { tape in tape.last { $0.status >= 400 }?.status } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let index = tape.withLock { tape in
            tape.append(TapedRequest(request))
            return tape.count - 1
        }
        var response = try await base.send(request)
        tape.withLock { $0[index].status = response.status }
        response.body = response.body.observed(by: { [tape] piece in
            tape.withLock { $0[index].byteCount += piece.count }
        })
        return response
    }
}
