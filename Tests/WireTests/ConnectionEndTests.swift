// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LoopbackRelay
import Testing
import Wire

/// When the server ends a connection, and what the client has by then.
@Suite(.timeLimit(.minutes(1))) struct ConnectionEndTests {
    private static func answer(to request: String) async throws -> String {
        try await SampleServer.run { server in
            try await blocking {
                let client = try server.connect()
                client.send(request.utf8)
                var answer: [UInt8] = []
                while let bytes = client.receive(), !bytes.isEmpty { answer += bytes }
                return String(decoding: answer, as: UTF8.self)
            }
        }
    }

    @Test(
        "ends a connection that is not to be kept after the whole answer",
        arguments: [
            "HTTP/1.0\r\n\r\n", "HTTP/1.1\r\nConnection: close\r\n\r\n", "HTTP/1.1\r\nConnection: Close\r\n\r\n",
        ]
    )
    func ends(version: String) async throws {
        let answer = try await Self.answer(to: "GET /bytes/3000000 \(version)")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n" + String(repeating: "a", count: 3_000_000)))
    }

    @Test func `answers a refused upload once, however its body ends`() async throws {
        let answer = try await SampleServer.run { server in
            try await blocking {
                let client = try server.connect()
                client.send("POST /up HTTP/1.1\r\nContent-Length: 9000000\r\n\r\nhello".utf8)
                client.shutdownSending()
                var answer: [UInt8] = []
                while let bytes = client.receive(), !bytes.isEmpty { answer += bytes }
                return String(decoding: answer, as: UTF8.self)
            }
        }
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
        #expect(answer.split(separator: "HTTP/1.1").count == 1)
    }
}
