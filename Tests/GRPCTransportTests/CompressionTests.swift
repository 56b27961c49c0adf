// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LoopbackRelay
import NIOCore
import NIOHPACK
import Testing

@testable import GRPCTransport

@Suite(.timeLimit(.minutes(5))) struct CompressionTests {
    private static let text = String(repeating: "compress me ", count: 1_000)

    @Test(arguments: [MessageEncoding.gzip, .deflate])
    func `reads and writes compressed messages`(encoding: MessageEncoding) async throws {
        try await TestServer.withClient { client in
            let compressed = try MessageCompression.compress(ByteBuffer(string: Self.text), as: encoding)
            let extra = [("grpc-encoding", encoding.rawValue), ("grpc-accept-encoding", "identity,deflate,gzip")]
            let stream = try client.begin("Echo", extra)
            client.send(.data(stream, Array(compressed.readableBytesView), endsStream: true))
            let answer = try client.answer(stream)
            #expect(answer["grpc-encoding"] == encoding.rawValue)
            let message = try #require(answer.messages.first)
            #expect(message.isCompressed)
            #expect(answer.body.count < 1_000)
            let restored = try MessageCompression.decompress(
                ByteBuffer(bytes: message.bytes),
                from: encoding,
                byteCountMax: 1 << 20
            )
            #expect(GRPCBytes(frame: restored) == GRPCBytes(Self.text.utf8))
        }
    }

    @Test func `answers plain where the client does not accept its own encoding`() async throws {
        try await TestServer.withClient { client in
            let compressed = try MessageCompression.compress(ByteBuffer(string: Self.text), as: .gzip)
            let stream = try client.begin("Echo", [("grpc-encoding", "gzip")])
            client.send(.data(stream, Array(compressed.readableBytesView), endsStream: true))
            let answer = try client.answer(stream)
            #expect(answer["grpc-encoding"] == nil)
            #expect(answer.texts == [Self.text])
        }
    }

    @Test func `takes a plain message where another is compressed`() async throws {
        try await TestServer.withClient { client in
            let answer = try client.call("Echo", ["plain"], [("grpc-encoding", "gzip")])
            #expect(answer.texts == ["plain"])
        }
    }

    @Test func `stops at a bomb`() async throws {
        try await TestServer.withClient(limits: GRPCLimits(messageByteCountMax: 1 << 20)) { client in
            let bomb = try MessageCompression.compress(ByteBuffer(repeating: 0, count: 20 << 20), as: .gzip)
            let stream = try client.begin("Echo", [("grpc-encoding", "gzip")])
            client.send(.data(stream, Array(bomb.readableBytesView), endsStream: true))
            let answer = try client.answer(stream)
            #expect(answer.status == 8)
            #expect(answer["grpc-message"] == "Decompressed gRPC message exceeds maximum size 1048576")
        }
    }
}
