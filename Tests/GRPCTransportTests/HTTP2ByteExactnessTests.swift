// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LiveServing
import LoopbackRelay
import Metering
import Testing

/// Law 1 over HTTP/2: streams and connection together are the bytes that an independent relay saw.
@Suite(.timeLimit(.minutes(5))) struct HTTP2ByteExactnessTests {
    typealias Talk = @Sendable (FrameClient) throws -> Void

    private static let conversations: [(name: String, streamCount: Int, talk: Talk)] = [
        ("a call", 1, { _ = try $0.call("Echo", ["hello"]) }),
        (
            "calls that overlap", 4,
            { client in
                let streams = try (0..<4).map { try client.start("Count", ["\($0 * 100)"]) }
                for stream in streams { _ = try client.answer(stream) }
            }
        ),
        ("an error", 1, { _ = try $0.call("Fail") }),
        ("no gRPC", 1, { _ = try $0.call("Echo", ["a"], [("grpc-encoding", "zstd")]) }),
        (
            "pings", 1,
            { client in
                for _ in 0..<50 { client.send(.ping(1)) }
                _ = try client.call("Echo")
            }
        ),
        (
            "padding", 1,
            { client in
                let stream = try client.begin("Echo")
                let message = Message.framed("padded")
                client.send(
                    Frame(kind: 0, flags: 9, stream: stream, payload: [20] + message + [UInt8](repeating: 0, count: 20))
                )
                #expect(try client.answer(stream).texts == ["padded"])
            }
        ),
        (
            "a head in pieces", 1,
            { client in
                let stream = client.newStream()
                let block = try client.block(FrameClient.head("Echo"))
                client.send(Frame(kind: 1, stream: stream, payload: Array(block.prefix(5))))
                client.send(Frame(kind: 9, stream: stream, payload: Array(block.dropFirst(5).prefix(5))))
                client.send(Frame(kind: 9, flags: 4, stream: stream, payload: Array(block.dropFirst(10))))
                client.send(.data(stream, Message.framed("pieces"), endsStream: true))
                #expect(try client.answer(stream).texts == ["pieces"])
            }
        ),
        (
            "a reset", 2,
            { client in
                let stream = try client.begin("Chat")
                client.send(.data(stream, Message.framed("a")))
                _ = try client.answer(stream) { !$0.texts.isEmpty }
                client.send(.reset(stream, code: 8))
                _ = try client.call("Echo")
            }
        ),
        (
            "a large answer", 1,
            { client in
                let answer = try client.call("Flood")
                #expect(answer.messages.count == 1_000)
            }
        ),
        (
            "half a message", 1,
            { client in
                let stream = try client.begin("Echo")
                client.send(.data(stream, [0, 0, 0, 0, 9, 1]))
            }
        ),
        (
            "half a frame", 2,
            { client in
                _ = try client.call("Echo")
                client.socket.send(Frame.data(try client.begin("Echo"), [1, 2, 3]).bytes.dropLast(5))
            }
        ),
        (
            "huge headers", 1,
            { client in
                // Larger than a list of fields may be when it is decoded, not on the wire: the server ends the connection
                // when it has read the head, behind which nothing comes that it would not read.
                let large = [("x-large", String(repeating: "v", count: 70_000))]
                try client.sendHead(client.newStream(), FrameClient.head("Echo", large), endsStream: true)
                while let bytes = client.socket.receive(), !bytes.isEmpty {}
            }
        ),
        ("garbage", 0, { $0.socket.send([UInt8](repeating: 0x61, count: 50)) }),
        (
            "late frames", 1,
            { client in
                let stream = try client.start("Echo")
                _ = try client.answer(stream)
                client.send(.windowUpdate(stream, 10))
                client.send(.ping(1))
                try client.readConnection { $0.contains { $0.kind == Frame.Kind.ping } }
            }
        ),
        ("nothing", 0, { _ in }),
    ]

    @Test(arguments: conversations.indices)
    func `counts every byte of a conversation`(index: Int) async throws {
        let conversation = Self.conversations[index]
        try await TestServer.run { server in
            try await blocking {
                let client = try server.connect()
                try conversation.talk(client)
                try client.finish()
                server.relay.finish()
            }
            let records = try await server.collector.next(conversation.streamCount + 1)
            #expect(records.map(\.received.wire).reduce(0, +) == server.relay.clientToServer, "\(conversation.name)")
            #expect(records.map(\.sent.wire).reduce(0, +) == server.relay.serverToClient, "\(conversation.name)")
            #expect(records.last?.attribution.operation == "firestore.connection")
            #expect(records.count { $0.attribution.operation == "firestore.connection" } == 1)
            for record in records {
                #expect(record.received.header + record.received.body == record.received.wire)
                #expect(record.sent.header + record.sent.body == record.sent.wire)
            }
        }
    }

    @Test func `credits each stream with its own bytes`() async throws {
        try await TestServer.run { server in
            try await blocking {
                let client = try server.connect()
                let slow = try client.begin("Join")
                #expect(try client.call("Echo", ["12345"]).texts == ["12345"])
                client.send(.data(slow, Message.framed("abc"), endsStream: true))
                #expect(try client.answer(slow).texts == ["abc"])
                try client.finish()
            }
            let records = try await server.collector.next(3)
            #expect(records.map(\.received.body) == [10, 8, 0])
            #expect(records.map(\.sent.body) == [10, 8, 0])
            #expect(records.map(\.outcome) == [.complete, .complete, .complete])
            #expect(records.map(\.status) == [200, 200, 0])
            #expect(records.map(\.method) == ["POST", "POST", ""])
        }
    }

    @Test func `attributes a call as its handler says`() async throws {
        try await TestServer.run { server in
            let token = "Bearer e30.eyJzdWIiOiJhbm4ifQ."
            try await blocking {
                let client = try server.connect()
                let extra = [
                    ("authorization", token), ("x-goog-api-client", "gl-swift/6"), ("user-agent", "other"),
                    ("x-firemeter-tag", String(repeating: "t", count: 200)),
                ]
                #expect(try client.call("Who", [""], extra).texts == ["ann false local"])
                #expect(try client.call("Fail").status == 5)
                try client.finish()
            }
            let records = try await server.collector.next(2)
            #expect(records.map(\.attribution.operation) == ["firestore.who", "firestore.unknown"])
            #expect(records.map(\.attribution.user) == ["ann", nil])
            #expect(records.map(\.attribution.client) == ["gl-swift/6", nil])
            #expect(records.map(\.attribution.tag) == [String(repeating: "t", count: 128), nil])
            #expect(records.map(\.billed.documentReads) == [1, 0])
            #expect(records.map(\.billed.egressBytes) == [records[0].sent.body, 0])
            #expect(records.map(\.status) == [200, 404])
        }
    }

    @Test func `charges a cancelled stream what left`() async throws {
        try await TestServer.run { server in
            try await blocking {
                let client = try server.connect()
                let stream = try client.start("Flood")
                _ = try client.answer(stream) { $0.body.count > 1 << 20 }
                client.send(.reset(stream, code: 8))
                try client.finish()
                server.relay.finish()
            }
            let records = try await server.collector.next(2)
            #expect(records.map(\.outcome) == [.aborted, .complete])
            #expect(records.map(\.abortCause) == [.clientCancelled, nil])
            #expect(records.map(\.sent.wire).reduce(0, +) == server.relay.serverToClient)
        }
    }

    @Test func `charges an aborted stream what left`() async throws {
        try await TestServer.run { server in
            try await blocking {
                let client = try server.connect()
                let stream = try client.start("Flood")
                _ = try client.answer(stream) { $0.body.count > 1 << 20 }
                client.socket.reset()
                server.relay.finish()
            }
            let records = try await server.collector.next(2)
            #expect(records.map(\.outcome) == [.aborted, .complete])
            #expect(records.map(\.abortCause) == [.clientClosed, nil])
            #expect(records.map(\.sent.wire).reduce(0, +) == server.relay.serverToClient)
            #expect(records[0].sent.body < 64 << 20)
            #expect(records[0].billed == .zero)
        }
    }
}
