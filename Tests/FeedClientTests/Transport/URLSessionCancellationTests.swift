// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct URLSessionCancellationTests {
    @Test func `ends every request that is cancelled at any moment`() async throws {
        let server = try LoopbackServer(
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nimage"
        )
        let transport = URLSessionTransport()
        let request = TransportRequest(method: "GET", url: fakeURL("http://127.0.0.1:\(server.port)/"))
        for round in 0..<1_000 {
            let load = Task { try await transport.send(request).body.collected() }
            for _ in 0..<(round % 40) { await Task.yield() }
            if round % 3 == 0 { try await Task.sleep(for: .microseconds(round * 7)) }
            load.cancel()
            _ = try? await load.value
        }
    }
}
