// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LiveServing
import LoopbackRelay
import Metering
import NIOCore
import Testing

@testable import GRPCTransport

/// Methods that are answered without tasks look the same to a client.
@Suite(.timeLimit(.minutes(5))) struct DirectMethodTests {
    @Test(arguments: TestDirectMethods.kinds)
    func `answers one message`(kind: String) async throws {
        try await TestServer.withClient { client in
            for text in ["hello", "", String(repeating: "é", count: 40_000)] {
                let answer = try client.call("\(kind)Echo", [text], [("grpc-timeout", "1H")])
                #expect(answer.texts == [text])
                #expect(answer.status == 0)
                #expect(answer[":status"] == "200")
                #expect(answer.headers.count == 2)
            }
        }
    }

    @Test(arguments: TestDirectMethods.kinds, [0, 1, 20_000])
    func `streams messages`(kind: String, count: Int) async throws {
        try await TestServer.withClient { client in
            let answer = try client.call("\(kind)Count", ["\(count)"])
            #expect(answer.texts == (0..<count).map(String.init))
            #expect(answer.status == 0)
        }
    }

    @Test(arguments: TestDirectMethods.kinds)
    func `answers errors, also behind messages`(kind: String) async throws {
        try await TestServer.withClient { client in
            let answer = try client.call("\(kind)Fail")
            #expect(answer.status == 10)
            #expect(answer["grpc-message"] == "too much contention")
            #expect(answer["x-why"] == "contention")
            #expect(answer.headers.count == 1)
            let late = try client.call("\(kind)Count", ["-3"])
            #expect(late.texts == ["0", "1", "2"])
            #expect(late.status == 14)
        }
    }

    @Test(arguments: [("", "loop"), (String(repeating: "x", count: 100), "thread")])
    func `answers light requests on the event loop`(request: String, place: String) async throws {
        try await TestServer.withClient { client in
            for _ in 0..<3 {
                let answer = try client.call("DirectPlace", [request])
                #expect(answer.texts == [place])
            }
        }
    }

    @Test(arguments: [(2, ["loop"]), (4, ["loop"]), (70, ["loop", "thread"])] as [(Int, Set<String>)])
    func `answers many light requests that come together on threads too`(count: Int, places: Set<String>) async throws {
        try await TestServer.withClient { client in
            let streams = try client.together { try (0..<count).map { _ in try client.start("DirectPlace") } }
            let answers = try streams.map { try client.answer($0) }
            #expect(answers.allSatisfy { $0.status == 0 && $0.texts.count == 1 })
            #expect(Set(answers.flatMap(\.texts)) == places)
        }
    }

    @Test func `ordered calls of a connection do not overtake each other`() async throws {
        try await TestServer.withClient { client in
            for round in 0..<5 {
                let streams = try client.together {
                    try (0..<70).map { number in
                        // Large ones are answered on threads, small ones at once.
                        let text = String(repeating: "x", count: number.isMultiple(of: 3) ? 200 : 1)
                        return try client.start("OrderedNumber", [text])
                    }
                }
                let answers = try streams.map { try client.answer($0) }
                #expect(answers.flatMap(\.texts) == (0..<70).map { "\(70 * round + $0)" })
            }
        }
    }

    @Test func `an ordered call may pass its turn on before it is answered`() async throws {
        try await TestServer.withClient { client in
            let streams = try client.together {
                try ["first", "second"].map { try client.start("OrderedPair", [$0]) }
            }
            #expect(try streams.flatMap { try client.answer($0).texts } == ["first", "second"])
        }
    }

    @Test(arguments: TestDirectMethods.kinds)
    func `answers what has to be waited for`(kind: String) async throws {
        try await TestServer.withClient { client in
            let answer = try client.call("\(kind)Later", ["later"])
            #expect(answer.texts == ["later"])
            #expect(answer.status == 0)
            let refusal = try client.call("\(kind)Later", [""])
            #expect(refusal.status == 5)
            #expect(refusal["grpc-message"] == "nothing there")
        }
    }

    @Test(arguments: TestDirectMethods.kinds)
    func `cancels what is waited for when the client has gone, and at the deadline`(kind: String) async throws {
        try await TestServer.run { server in
            try await blocking {
                let client = try server.connect()
                let stream = try client.start("\(kind)Wait")
                while server.calls.writtenCount < 1 { _ = try client.call("DirectEcho") }
                client.send(.reset(stream, code: 8))
                _ = try client.start("\(kind)Wait")
                while server.calls.writtenCount < 2 { _ = try client.call("DirectEcho") }
                client.socket.reset()
            }
            await server.calls.waitForCancellations(2)
            try await blocking {
                let answer = try server.connect().call("\(kind)Wait", [""], [("grpc-timeout", "20m")])
                #expect(answer.status == 4)
            }
            // On a slow day the deadline passes before the call begins; then there is nothing to cancel.
            await server.calls.waitForCancellations(server.calls.writtenCount)
        }
    }

    @Test(arguments: TestDirectMethods.kinds, [[], ["a", "b"]])
    func `refuses a request that is not one message`(kind: String, messages: [String]) async throws {
        try await TestServer.withClient { client in
            let answer = try client.call("\(kind)Echo", messages)
            #expect(answer.status == 13)
            #expect(try client.call("DirectEcho", ["alive"]).texts == ["alive"])
        }
    }

    @Test(arguments: TestDirectMethods.kinds)
    func `reads and writes compressed messages`(kind: String) async throws {
        try await TestServer.withClient { client in
            let compressed = try MessageCompression.compress(ByteBuffer(repeating: 0x61, count: 10_000), as: .gzip)
            let extra = [("grpc-encoding", "gzip"), ("grpc-accept-encoding", "identity,deflate,gzip")]
            let stream = try client.begin("\(kind)Echo", extra)
            client.send(.data(stream, Array(compressed.readableBytesView), endsStream: true))
            let answer = try client.answer(stream)
            #expect(answer["grpc-encoding"] == "gzip")
            #expect(answer.messages.first?.isCompressed == true)
            #expect(answer.body.count < 200)
        }
    }

    @Test(arguments: TestDirectMethods.kinds)
    func `makes no more than a slow client takes`(kind: String) async throws {
        try await TestServer.run { server in
            try await blocking {
                let client = try server.connect(window: 100_000)
                let stream = try client.start("\(kind)Flood")
                _ = try client.answer(stream) { $0.body.count == 100_000 }
                for _ in 0..<20 { _ = try client.call("Echo") }
                #expect((1...6).contains(server.calls.writtenCount))
                client.send(.windowUpdate(stream, 1 << 30))
                #expect(try client.answer(stream).messages.count == 1_000)
            }
        }
    }

    @Test(arguments: TestDirectMethods.kinds)
    func `makes no more when the client has gone`(kind: String) async throws {
        try await TestServer.run { server in
            try await blocking {
                let client = try server.connect(window: 100_000)
                let stream = try client.start("\(kind)Flood")
                _ = try client.answer(stream) { $0.body.count == 100_000 }
                client.send(.reset(stream, code: 8))
                for _ in 0..<20 { _ = try client.call("DirectEcho") }
                #expect(server.calls.writtenCount < 10)
            }
        }
    }

    @Test(arguments: TestDirectMethods.kinds)
    func `is metered as every call`(kind: String) async throws {
        try await TestServer.run { server in
            try await blocking {
                let client = try server.connect()
                #expect(try client.call("\(kind)Echo", ["12345"]).texts == ["12345"])
                _ = try client.call("\(kind)Count", ["1000"])
                try client.finish()
                server.relay.finish()
            }
            let records = try await server.collector.next(3)
            #expect(records.map(\.received.wire).reduce(0, +) == server.relay.clientToServer)
            #expect(records.map(\.sent.wire).reduce(0, +) == server.relay.serverToClient)
            #expect(records[0].attribution.operation == "firestore.direct")
            #expect(records[0].billed.documentReads == 1)
            #expect(records[0].sent.body == 10)
            #expect(records[1].sent.body == 1_000 * 5 + 2_890)
        }
    }
}
