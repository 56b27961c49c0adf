// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCTransport
import LoopbackRelay
import Testing

/// The limits of one connection.
@Suite(.timeLimit(.minutes(5))) struct ConnectionTests {
    @Test func `carries a thousand calls at once`() async throws {
        try await TestServer.withClient { client in
            let streams = try (0..<1_000).map { _ in try client.begin("Chat") }
            for (number, stream) in streams.enumerated() {
                client.send(.data(stream, Message.framed("\(number)")))
            }
            for (number, stream) in streams.enumerated() {
                #expect(try client.answer(stream) { !$0.texts.isEmpty }.texts == ["\(number)"])
            }
            for stream in streams { client.send(.data(stream, [], endsStream: true)) }
            for stream in streams { #expect(try client.answer(stream).status == 0) }
        }
    }

    @Test func `lets a client reset thousands of calls at once`() async throws {
        try await TestServer.withClient { client in
            let streams = try (0..<2_000).map { _ in try client.begin("Chat") }
            for stream in streams { client.send(.reset(stream, code: 8)) }
            #expect(try client.call("Echo", ["alive"]).texts == ["alive"])
        }
    }

    @Test func `answers pings, also many`() async throws {
        try await TestServer.withClient { client in
            for _ in 0..<1_000 { client.send(.ping(7)) }
            try client.readConnection { frames in frames.count { $0.kind == Frame.Kind.ping } == 1_000 }
            #expect(client.connectionFrames.last?.flags == Frame.Flag.acknowledgement)
            #expect(client.connectionFrames.last?.payload == [UInt8](repeating: 7, count: 8))
            #expect(try client.call("Echo", ["alive"]).texts == ["alive"])
        }
    }

    private static let continuations = [Frame](repeating: Frame(kind: 9, stream: 1), count: 20)

    @Test(
        "ends a connection that breaks the protocol",
        arguments: [
            ("DATA on stream 0", [Frame.data(0, [1])], 1), ("DATA on an idle stream", [.data(7, [1])], 1),
            ("a frame above the limit", [.data(1, [UInt8](repeating: 0, count: 70_000))], 6),
            ("a window that overflows", [.windowUpdate(0, .max >> 1)], 3),
            ("CONTINUATION of nothing", [Frame(kind: Frame.Kind.continuation, stream: 1)], 1),
            ("SETTINGS of three bytes", [Frame(kind: Frame.Kind.settings, payload: [1, 2, 3])], 6),
            ("empty frames without end", [.opening(1), .data(1, []), .data(1, []), .data(1, [])], 11),
            ("a head without end", [Frame(kind: 1, stream: 1)] + Self.continuations, 11),
            ("a header block that is none", [Frame(kind: 1, flags: 5, stream: 1, payload: [0xFF, 0xFF, 0xFF])], 9),
        ] as [(String, [Frame], UInt32)]
    )
    func ends(name: String, frames: [Frame], code: UInt32) async throws {
        try await TestServer.withClient { client in
            for frame in frames { client.send(frame) }
            try client.readAll()
            let goAway = client.connectionFrames.last { $0.kind == Frame.Kind.goAway }
            #expect(goAway.map { UInt32(bigEndianBytes: $0.payload[4..<8]) } == code)
        }
    }

    @Test func `goes on when a client updates the window of a stream that has ended`() async throws {
        try await TestServer.withClient { client in
            let stream = try client.start("Echo")
            _ = try client.answer(stream)
            client.send(.windowUpdate(stream, 100))
            client.send(.reset(stream, code: 8))
            #expect(try client.call("Echo", ["alive"]).texts == ["alive"])
        }
    }

    @Test func `serves HTTP/1.1 beside HTTP/2 on one port`() async throws {
        try await TestServer.run { server in
            let text = try await blocking {
                let client = try server.connect()
                #expect(try client.call("Echo", ["a"]).texts == ["a"])
                let plain = try LoopbackSocket.connected(to: server.relay.port)
                plain.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
                var text = ""
                while let bytes = plain.receive(), !bytes.isEmpty { text += String(decoding: bytes, as: UTF8.self) }
                #expect(try client.call("Echo", ["b"]).texts == ["b"])
                return text
            }
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(text.hasSuffix("\r\n\r\nOk\n"))
        }
    }
}

extension Frame {
    /// HEADERS with `:method: POST`, `:scheme: http`, `:path: /` of the static table and `:authority: a`.
    fileprivate static func opening(_ stream: UInt32) -> Frame {
        Frame(
            kind: Kind.headers,
            flags: Flag.endHeaders,
            stream: stream,
            payload: [0x83, 0x86, 0x84, 0x41, 0x01, 0x61]
        )
    }
}
