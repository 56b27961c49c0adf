// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import LoopbackRelay
import Testing

@Suite(.timeLimit(.minutes(5))) struct HalfClosedDownloadTests {
    @Test func `gives the whole object to a client that has closed its sending side`() async throws {
        try await LiveServer.run { server in
            let content = String(repeating: "x", count: 300_000)
            try await server.fixture.send(.post, "/v0/b/bkt/o?name=a", [:], content)
            // Whether the end of the sending side is seen before the answer has gone is a matter of chance.
            for _ in 0..<30 {
                let request = "GET /v0/b/bkt/o/a?alt=media HTTP/1.1\r\nHost: a\r\n\r\n"
                let answer = try await server.exchange(Array(request.utf8))
                #expect(answer.count > content.utf8.count)
            }
        }
    }
}
