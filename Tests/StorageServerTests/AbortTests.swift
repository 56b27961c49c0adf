// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LiveServing
import LoopbackRelay
import Metering
import Testing

/// A body that does not arrive whole stores nothing, however the connection ends.
@Suite(.timeLimit(.minutes(5))) struct AbortTests {
    static let target = "POST /v0/b/bkt/o?name=a HTTP/1.1\r\nHost: a\r\n"
    static let content = String(repeating: "x", count: 300_000)
    static let multipart = "X-Goog-Upload-Protocol: multipart\r\nContent-Type: multipart/related; boundary=00418\r\n"

    static let starts: [(String, String)] = [
        ("media, no byte", target + "Content-Length: 10\r\n\r\n"),
        ("media, a byte missing", target + "Content-Length: 300001\r\n\r\n" + content),
        ("chunked, in a chunk", target + "Transfer-Encoding: chunked\r\n\r\n493e1\r\n" + content),
        ("chunked, between chunks", target + "Transfer-Encoding: chunked\r\n\r\n493e0\r\n" + content + "\r\n"),
        ("chunked, before the last line", target + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"),
        (
            "multipart, in the media part",
            target + multipart + "Content-Length: 400000\r\n\r\n--00418\r\n\r\n{}\r\n--00418\r\n\r\n" + content
        ),
        (
            "multipart, complete but for its epilogue",
            target + multipart + "Content-Length: 400000\r\n\r\n" + MultipartBody().text
        ),
    ]

    @Test(arguments: starts.map(\.0), [false, true])
    func `stores nothing`(name: String, isReset: Bool) async throws {
        let start = try #require(Self.starts.first { $0.0 == name }?.1)
        let fixture = try await LiveServer.run { server in
            try await blocking {
                let client = try server.connect()
                client.send(start.utf8)
                guard !isReset else { return client.reset() }
                client.shutdownSending()
                while let bytes = client.receive(), !bytes.isEmpty {}
            }
            let record = try #require(try await server.records.next(1).first)
            #expect(record.status != 200)
            #expect(record.billed == .zero)
            _ = try await server.exchange(Array("GET /v0/ HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
            return server.fixture
        }
        // Only now: a stopped server has ended the tasks of all its connections.
        #expect(try fixture.isEmpty())
    }

    @Test(arguments: ["Content-Length: 10\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"])
    func `stores nothing when the server stops inside a body`(start: String) async throws {
        let (fixture, client) = try await LiveServer.run { server in
            let client = try await blocking {
                let client = try server.connect()
                client.send((Self.target + "Expect: 100-continue\r\n" + start).utf8)
                // Once it asks for the body, the server is reading it.
                _ = client.receive()
                return client
            }
            return (server.fixture, client)
        }
        #expect(try fixture.isEmpty())
        withExtendedLifetime(client) {}
    }

    @Test func `stores a body that arrives in many pieces`() async throws {
        try await LiveServer.run { server in
            try await blocking {
                let client = try server.connect()
                client.send((Self.target + "Connection: close\r\nContent-Length: 300000\r\n\r\n").utf8)
                var rest = Self.content.utf8[...]
                while !rest.isEmpty {
                    client.send(rest.prefix(7_001))
                    rest = rest.dropFirst(7_001)
                }
                while let bytes = client.receive(), !bytes.isEmpty {}
            }
            #expect(try server.fixture.bytes("a") == Array(Self.content.utf8))
        }
    }

    @Test func `stores a chunked multipart body`() async throws {
        try await LiveServer.run { server in
            let chunks = MultipartBody().text.utf8.map { "1\r\n\(Character(Unicode.Scalar($0)))\r\n" }.joined()
            let head = Self.target + Self.multipart + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
            let answer = try await server.exchange(Array((head + chunks + "0\r\n\r\n").utf8))
            #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(try server.fixture.bytes("a") == Array("hello world".utf8))
        }
    }
}
