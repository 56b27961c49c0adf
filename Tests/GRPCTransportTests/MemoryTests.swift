// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import LoopbackRelay
import NIOCore
import Testing
import Wire

@testable import GRPCTransport

/// The memory of all streams of a connection is bounded.
@Suite(.timeLimit(.minutes(5)), .serialized) struct MemoryTests {
    private static let messageByteCount = 9 << 20
    /// How many of these messages a connection holds.
    private static let fittingCount = MemoryLimits.connectionByteCountMax / messageByteCount

    /// Begins a message, of which only the first bytes come.
    private static func beginMessage(_ client: FrameClient, _ method: String) throws -> UInt32 {
        let stream = try client.begin(method)
        let head = Array(Message.framed([]).prefix(1)) + UInt32(messageByteCount).bigEndianBytes
        client.send(.data(stream, head + [UInt8](repeating: 7, count: 1_000)))
        return stream
    }

    @Test(arguments: ["DirectEcho", "Echo"])
    func `unfinished messages are refused at the connection's limit, and the connection lives`(
        method: String
    ) async throws {
        try await TestServer.withClient { client in
            let streams = try (0..<200).map { _ in try Self.beginMessage(client, method) }
            for stream in streams.dropFirst(Self.fittingCount) {
                let answer = try client.answer(stream) { $0.resetCode != nil }
                #expect(answer.status == 8)
                #expect(answer["grpc-message"]?.contains("\(MemoryLimits.connectionByteCountMax)") == true)
                #expect(answer.resetCode == 0)
            }
            #expect(try client.call(method, ["small"]).texts == ["small"])
            // One that ends makes room for the next.
            client.send(.reset(streams[0], code: 8))
            let next = try Self.beginMessage(client, method)
            #expect(try client.call("Echo", ["alive"]).texts == ["alive"])
            client.send(.reset(next, code: 8))
        }
    }

    @Test(arguments: ["DirectCount", "Count"])
    func `six of the largest messages at once are taken`(method: String) async throws {
        try await TestServer.withClient { client in
            let text = String(repeating: "x", count: GRPCLimits.messageByteCountMaxDefault)
            let streams = try (0..<6).map { _ in try client.begin(method) }
            let bytes = Message.framed(text)
            // In turns, so that all are unfinished at a time; each no further than the server has made room for.
            let step = 1 << 14
            for start in stride(from: 0, to: bytes.count, by: step) {
                for stream in streams {
                    try Self.waitForRoom(client, stream, start + step)
                    client.send(.data(stream, Array(bytes[start..<min(start + step, bytes.count)])))
                }
            }
            for stream in streams { client.send(.data(stream, [], endsStream: true)) }
            for stream in streams { #expect(try client.answer(stream).status == 0) }
        }
    }

    /// Waits until `byteCount` bytes may be sent on a stream; the connection's own window is opened as quickly.
    private static func waitForRoom(_ client: FrameClient, _ stream: UInt32, _ byteCount: Int) throws {
        func room(_ frames: [Frame], _ stream: UInt32, _ first: Int) -> Int {
            frames.lazy.filter { $0.kind == Frame.Kind.windowUpdate && $0.stream == stream }
                .reduce(first) { $0 + Int(UInt32(bigEndianBytes: $1.payload)) }
        }
        try client.readConnection { room($0, stream, 1 << 20) >= byteCount }
        try client.readConnection { room($0, 0, 65_535) >= 6 * byteCount }
    }

    @Test func `answers that no client reads are refused at the connection's limit`() async throws {
        try await TestServer.run { server in
            try await blocking {
                let client = try server.connect(window: 0)
                // Each holds one message of 64 KiB.
                let fitting = MemoryLimits.connectionByteCountMax >> 16
                func flood() throws -> (stream: UInt32, status: Int?) {
                    let stream = try client.start("DirectFlood")
                    return (stream, try client.answer(stream) { !$0.headers.isEmpty }.status)
                }
                let floods = try (0..<(fitting + 10)).map { _ in try flood() }
                #expect(floods.prefix(fitting - 20).allSatisfy { $0.status == nil })
                #expect(floods.suffix(5).map(\.status) == [8, 8, 8, 8, 8])
                #expect(server.calls.writtenCount <= fitting + 10)
                // Who goes makes room.
                client.send(.reset(floods[0].stream, code: 8))
                client.send(.reset(floods[1].stream, code: 8))
                #expect(try flood().status == nil)
            }
        }
    }

    @Test func `a message that is unpacked counts until it is gone`() throws {
        let budget = ByteBudget("connection", byteCountMax: 3 << 20)
        let codec = MessageCodec(encoding: .gzip, byteCountMax: 10 << 20, budget: budget)
        func unpack(_ byteCount: Int) throws -> GRPCBytes {
            let frame = try MessageCompression.compress(ByteBuffer(repeating: 0, count: byteCount), as: .gzip)
            return try codec.bytes(of: MessageReader.Message(isCompressed: true, frame: frame))
        }
        do {
            let bytes = try unpack(1 << 20)
            #expect(budget.heldByteCount >= 1 << 20 - MemoryLimits.spareByteCount)
            #expect(bytes.count == 1 << 20)
        }
        #expect(budget.heldByteCount == 0)
        #expect(throws: RPCError.self) { try unpack(8 << 20) }
        #expect(budget.heldByteCount == 0)
    }

    @Test func `a stream's messages count until its handler asks for the next`() {
        var queue = InboundQueue(metadata: [:])
        let message = MessageReader.Message(isCompressed: false, frame: GRPCBytes(repeating: 0, count: 995).frame)
        _ = queue.push(message)
        _ = queue.push(message)
        #expect(queue.heldByteCount == 2_000)
        _ = queue.take()
        _ = queue.take()
        #expect(queue.heldByteCount == 2_000)
        _ = queue.take()
        #expect(queue.heldByteCount == 1_000)
        _ = queue.take()
        #expect(queue.heldByteCount == 0)
    }
}
