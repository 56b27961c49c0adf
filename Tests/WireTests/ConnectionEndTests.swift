// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LoopbackRelay
import Testing
import Wire

/// When the server ends a connection, and what the client has by then.
@Suite(.timeLimit(.minutes(5))) struct ConnectionEndTests {
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
            "HTTP/1.0\r\n\r\n", "HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            "HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n",
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
                client.send("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\nhello".utf8)
                client.shutdownSending()
                var answer: [UInt8] = []
                while let bytes = client.receive(), !bytes.isEmpty { answer += bytes }
                return String(decoding: answer, as: UTF8.self)
            }
        }
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
        #expect(answer.split(separator: "HTTP/1.1").count == 1)
    }

    @Test func `sends nothing behind the head that answers a HEAD`() async throws {
        let answer = try await Self.answer(
            to: "HEAD /none HTTP/1.1\r\nHost: a\r\n\r\nGET /bytes/3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        )
        let messages = answer.split(separator: "\r\n\r\n")
        #expect(messages.count == 3)
        #expect(messages[0].hasPrefix("HTTP/1.1 404 "))
        #expect(messages[1].hasPrefix("HTTP/1.1 200 "))
        #expect(messages[2] == "aaa")
    }

    @Test(
        "answers who wants another protocol, and ends",
        arguments: [
            "GET /bytes/3 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
            "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
        ]
    )
    func endsUpgrade(request: String) async throws {
        let answer = try await Self.answer(to: request + "GET /bytes/3 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(answer.split(separator: "HTTP/1.1 ").count == 1)
    }
}
