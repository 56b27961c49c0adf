// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCTransport
import LoopbackRelay
import Testing

/// The refusals, and that the connection outlives them.
@Suite(.timeLimit(.minutes(5))) struct RefusalTests {
    private static func expectAlive(_ client: FrameClient) throws {
        #expect(try client.call("Echo", ["alive"]).texts == ["alive"])
    }

    @Test(
        arguments: [
            ("content-type", "application/grpc+json", "415"), ("content-type", "application/grpc-web", "415"),
            (":method", "GET", "405"),
        ]
    )
    func `answers what is no gRPC in terms of HTTP`(name: String, value: String, status: String) async throws {
        try await TestServer.withClient { client in
            let stream = client.newStream()
            try client.sendHead(stream, FrameClient.head("Echo", changed: [name: value]), endsStream: true)
            let answer = try client.answer(stream)
            #expect(answer[":status"] == status)
            #expect(answer.status == nil)
            try Self.expectAlive(client)
        }
    }

    @Test(arguments: ["application/grpc", "application/grpc+proto", "application/grpc;charset=utf-8"])
    func `takes the names of gRPC`(contentType: String) async throws {
        try await TestServer.withClient { client in
            let stream = client.newStream()
            try client.sendHead(stream, FrameClient.head("Echo", changed: ["content-type": contentType]))
            client.send(.data(stream, Message.framed("a"), endsStream: true))
            #expect(try client.answer(stream).texts == ["a"])
        }
    }

    @Test func `names the encodings it knows to who uses another`() async throws {
        try await TestServer.withClient { client in
            let answer = try client.call("Echo", ["a"], [("grpc-encoding", "zstd")])
            #expect(answer.status == 12)
            #expect(answer["grpc-accept-encoding"] == "identity,gzip,deflate")
            try Self.expectAlive(client)
        }
    }

    @Test func `refuses a message above the limit before it has come`() async throws {
        try await TestServer.withClient(limits: GRPCLimits(messageByteCountMax: 100)) { client in
            #expect(try client.call("Echo", [String(repeating: "x", count: 100)]).status == 0)
            let stream = try client.begin("Echo")
            client.send(.data(stream, [0, 0, 0, 0, 101]))
            let answer = try client.answer(stream) { $0.resetCode != nil }
            #expect(answer.status == 8)
            #expect(answer["grpc-message"] == "gRPC message exceeds maximum size 100: 101")
            // NO_ERROR: the answer is whole, and no more need be sent.
            #expect(answer.resetCode == 0)
            try Self.expectAlive(client)
        }
    }

    @Test(
        arguments: [
            // Half a message, a frame that lies about its length, an unknown flag, compressed but not announced.
            ([0, 0, 0, 0, 3, 1], 13), ([0, 0, 0], 13), ([0, 0, 0, 0, 200] + [UInt8](repeating: 1, count: 100), 13),
            ([9, 0, 0, 0, 1, 1], 13), ([1, 0, 0, 0, 1, 1], 13),
        ] as [([UInt8], Int)]
    )
    func `answers broken framing`(payload: [UInt8], status: Int) async throws {
        try await TestServer.withClient { client in
            let stream = try client.begin("Echo")
            client.send(.data(stream, payload, endsStream: true))
            #expect(try client.answer(stream).status == status)
            try Self.expectAlive(client)
        }
    }

    @Test func `refuses large metadata and lives`() async throws {
        try await TestServer.withClient { client in
            let extra = [("x-large", String(repeating: "v", count: 17 << 10))]
            #expect(try client.call("Echo", ["a"], extra).status == 8)
            try Self.expectAlive(client)
        }
    }

    @Test func `refuses large metadata that comes before the limits are known, and lives`() async throws {
        try await TestServer.run { server in
            try await blocking {
                let client = try FrameClient(port: server.relay.port, isEager: true)
                let stream = client.newStream()
                // Huffman coding makes an X no smaller (RFC 7541, appendix B).
                let extra = [("x-large", String(repeating: "X", count: 40 << 10))]
                let block = try client.block(FrameClient.head("Echo", extra))
                let frameByteCountMax = 16_384
                for start in stride(from: 0, to: block.count, by: frameByteCountMax) {
                    let part = Array(block[start...].prefix(frameByteCountMax))
                    let flags = start + part.count == block.count ? Frame.Flag.endHeaders : 0
                    let kind = start == 0 ? Frame.Kind.headers : Frame.Kind.continuation
                    client.send(Frame(kind: kind, flags: flags, stream: stream, payload: part))
                }
                client.send(.data(stream, Message.framed("a"), endsStream: true))
                #expect(try client.answer(stream).status == 8)
                try client.acknowledge()
                try Self.expectAlive(client)
                #expect(!client.connectionFrames.contains { $0.kind == Frame.Kind.goAway })
            }
        }
    }

    @Test func `refuses a malformed deadline`() async throws {
        try await TestServer.withClient { client in
            let answer = try client.call("Echo", ["a"], [("grpc-timeout", "soon")])
            #expect(answer.status == 13)
        }
    }
}
