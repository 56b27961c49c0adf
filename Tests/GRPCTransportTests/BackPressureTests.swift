// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LoopbackRelay
import Testing

@testable import GRPCTransport

/// A slow client never fills the server's memory.
@Suite(.timeLimit(.minutes(5))) struct BackPressureTests {
    @Test func `makes a handler wait whose client reads slowly`() async throws {
        try await TestServer.run { server in
            try await blocking {
                // The client takes 100 KB on each stream and not one byte more.
                let client = try server.connect(window: 100_000)
                let stream = try client.start("Flood")
                _ = try client.answer(stream) { $0.body.count == 100_000 }
                // The server's queues have settled when a later call has been answered.
                for _ in 0..<20 { _ = try client.call("Echo") }
                // 1.5 messages in the window; the rest in two queues of 64 KiB, each of which may run over once.
                #expect((1...6).contains(server.calls.writtenCount))
                client.send(.windowUpdate(stream, 1 << 20))
                _ = try client.answer(stream) { $0.body.count == 100_000 + 1 << 20 }
                #expect(server.calls.writtenCount < 25)
                client.send(.windowUpdate(stream, 1 << 30))
                #expect(try client.answer(stream).messages.count == 1_000)
            }
        }
    }

    @Test func `makes a client wait whose handler reads slowly`() async throws {
        try await TestServer.run { server in
            try await blocking {
                let client = try server.connect()
                let stream = try client.begin("Slurp")
                let message = Message.framed(String(repeating: "x", count: 10_000))
                // The stream's window of 1 MiB is opened again by at most what the queue holds.
                let byteCountMax = 1 << 20 + GRPCLimits.inboundByteCountHigh + 128 << 10
                var windowByteCount = 1 << 20
                var sentByteCount = 0
                while sentByteCount + message.count <= windowByteCount {
                    client.send(.data(stream, message))
                    sentByteCount += message.count
                    _ = try client.call("Echo")
                    let updates = client.connectionFrames.filter {
                        $0.kind == Frame.Kind.windowUpdate && $0.stream == stream
                    }
                    windowByteCount = 1 << 20 + updates.map { Int(UInt32(bigEndianBytes: $0.payload)) }.reduce(0, +)
                }
                #expect(sentByteCount <= byteCountMax)
                #expect(server.calls.readCount == 0)
            }
        }
    }

    @Test func `reads as much as a handler takes`() async throws {
        try await TestServer.withClient { client in
            let stream = try client.begin("Join")
            let text = String(repeating: "y", count: 30_000)
            // Eight times the stream's window, sent as fast as the server allows.
            var windowByteCount = 1 << 20
            var sentByteCount = 0
            for _ in 0..<280 {
                let message = Message.framed(text)
                while sentByteCount + message.count > windowByteCount {
                    let known = client.connectionFrames.count
                    try client.readConnection { $0.count > known }
                    let updates = client.connectionFrames.filter {
                        $0.kind == Frame.Kind.windowUpdate && $0.stream == stream
                    }
                    windowByteCount = 1 << 20 + updates.map { Int(UInt32(bigEndianBytes: $0.payload)) }.reduce(0, +)
                }
                client.send(.data(stream, message))
                sentByteCount += message.count
            }
            client.send(.data(stream, [], endsStream: true))
            #expect(try client.answer(stream).texts.first?.utf8.count == 280 * text.utf8.count)
        }
    }
}
