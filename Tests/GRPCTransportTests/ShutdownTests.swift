// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LiveServing
import Logging
import LoopbackRelay
import ServiceLifecycle
import Testing
import Wire

/// The server says goodbye, and lets calls in flight end.
@Suite(.timeLimit(.minutes(5))) struct ShutdownTests {
    /// Runs a body against a server that ends gracefully when the body calls `stop`, and returns when it has ended.
    private static func serving(
        _ body:
            @escaping @Sendable (_ client: UncheckedBox<FrameClient>, _ stop: @Sendable () async -> Void) async throws
            -> Void
    ) async throws {
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let server = WireServer(
            host: "127.0.0.1",
            port: 0,
            service: TestService(calls: TestCalls()),
            sink: RecordCollector(),
            now: { 0 },
            onReady: { announce.yield($0) }
        )
        let services = ServiceGroup(services: [server], logger: Logger(label: "test"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            for await port in ports {
                let client = try await blocking { UncheckedBox(try FrameClient(port: UInt16(port))) }
                try await body(client) { await services.triggerGracefulShutdown() }
                break
            }
            try await group.waitForAll()
        }
    }

    @Test func `lets a call in flight end`() async throws {
        try await Self.serving { client, stop in
            let stream = try await blocking {
                let stream = try client.value.begin("Chat")
                client.value.send(.data(stream, Message.framed("a")))
                _ = try client.value.answer(stream) { $0.texts == ["a"] }
                return stream
            }
            // The client reads before the server's grace begins: beside many other tests this task may wait for its next turn.
            let (starts, started) = AsyncStream.makeStream(of: Void.self)
            async let end: Void = blocking {
                started.finish()
                let client = client.value
                try client.readConnection { $0.contains { $0.kind == Frame.Kind.goAway } }
                try client.readConnection { $0.contains { $0.kind == Frame.Kind.ping } }
                let ping = try #require(client.connectionFrames.last { $0.kind == Frame.Kind.ping })
                client.send(Frame(kind: Frame.Kind.ping, flags: 1, payload: ping.payload))
                try client.readConnection { $0.count { $0.kind == Frame.Kind.goAway } == 2 }
                let goAways = client.connectionFrames.filter { $0.kind == Frame.Kind.goAway }
                let lastStreams = goAways.map { UInt32(bigEndianBytes: $0.payload[0..<4]) }
                #expect(lastStreams == [.max >> 1, stream])
                #expect(goAways.allSatisfy { UInt32(bigEndianBytes: $0.payload[4..<8]) == 0 })
                client.send(.data(stream, Message.framed("b"), endsStream: true))
                let answer = try client.answer(stream)
                #expect(answer.texts == ["a", "b"])
                #expect(answer.status == 0)
                try client.readAll()
            }
            for await _ in starts {}
            await stop()
            try await end
        }
    }

    @Test func `tells handlers that the server stops`() async throws {
        try await Self.serving { client, stop in
            let stream = try await blocking {
                let stream = try client.value.start("Wait")
                _ = try client.value.call("Echo")
                return stream
            }
            await stop()
            // The handler ends on it with CANCELLED, long before the grace is over.
            try await blocking {
                #expect(try client.value.answer(stream).status == 1)
                try client.value.readAll()
            }
        }
    }

    @Test func `ends a stream that does not end by itself`() async throws {
        try await Self.serving { client, stop in
            let stream = try await blocking {
                let stream = try client.value.begin("Chat")
                client.value.send(.data(stream, Message.framed("a")))
                _ = try client.value.answer(stream) { $0.texts == ["a"] }
                return stream
            }
            await stop()
            try await blocking {
                #expect(try client.value.answer(stream).status == 14)
                try client.value.readAll()
            }
        }
    }

    @Test func `closes an idle connection at once`() async throws {
        try await Self.serving { client, stop in
            _ = try await blocking { try client.value.call("Echo") }
            await stop()
            try await blocking { try client.value.readAll() }
        }
    }
}
