// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LoopbackRelay
import NIOHPACK
import Testing

/// Calls of the four kinds, and how they fail.
@Suite(.timeLimit(.minutes(5))) struct CallTests {
    @Test func `answers a unary call`() async throws {
        try await TestServer.withClient { client in
            for text in ["hello", "", String(repeating: "é", count: 40_000)] {
                let answer = try client.call("Echo", [text])
                #expect(answer.texts == [text])
                #expect(answer.status == 0)
                #expect(answer[":status"] == "200")
                #expect(answer["content-type"] == "application/grpc")
                #expect(answer.headers.count == 2)
            }
        }
    }

    @Test(arguments: [0, 1, 5_000])
    func `streams answers`(count: Int) async throws {
        try await TestServer.withClient { client in
            let answer = try client.call("Count", ["\(count)"])
            #expect(answer.texts == (0..<count).map(String.init))
            #expect(answer["x-count"] == "\(count)")
            #expect(answer.headers.last?.first(name: "x-end") == "done")
            #expect(answer.headers.last?.first(name: "x-end-bin") == "Bw")
            #expect(answer.status == 0)
        }
    }

    @Test func `reads a stream of requests`() async throws {
        try await TestServer.withClient { client in
            let numbers = (0..<2_000).map { "\($0)," }
            let answer = try client.call("Join", numbers)
            #expect(answer.texts == [numbers.joined()])
            #expect(try client.call("Join", []).texts == [""])
        }
    }

    @Test func `answers while the client still sends`() async throws {
        try await TestServer.withClient { client in
            let stream = try client.begin("Chat")
            for text in ["a", "b", "c"] {
                client.send(.data(stream, Message.framed(text)))
                #expect(try client.answer(stream) { $0.texts.last == text }.isOver == false)
            }
            client.send(.data(stream, [], endsStream: true))
            let answer = try client.answer(stream)
            #expect(answer.texts == ["a", "b", "c"])
            #expect(answer.status == 0)
        }
    }

    @Test func `puts messages together that come in pieces`() async throws {
        try await TestServer.withClient { client in
            let stream = try client.begin("Chat")
            let bytes = Message.framed("first") + Message.framed("second")
            for byte in bytes { client.send(.data(stream, [byte])) }
            client.send(.data(stream, [], endsStream: true))
            #expect(try client.answer(stream).texts == ["first", "second"])
        }
    }

    @Test func `tells the handler of caller, deadline and metadata`() async throws {
        try await TestServer.withClient { client in
            let extra = [
                ("authorization", "Bearer owner"), ("grpc-timeout", "1H"), ("x-text", "a"), ("x-text", "b"),
                ("x-bytes-bin", "AAE="), ("x-bytes-bin", "AgM"),
            ]
            let answer = try client.call("Who", [""], extra)
            #expect(answer.texts == ["admin true local a b [0, 1] [2, 3]"])
            #expect(try client.call("Who").texts == ["anonymous false local"])
        }
    }

    @Test func `answers an error with its message and details`() async throws {
        try await TestServer.withClient { client in
            let answer = try client.call("Fail")
            #expect(answer.headers.count == 1)
            #expect(answer.status == 5)
            #expect(answer["grpc-message"] == "nothing: %E2%98%83 100%25%0A")
            #expect(answer["grpc-status-details-bin"] == "AAH+")
            #expect(answer["x-why"] == "gone")
        }
    }

    @Test func `answers an error behind messages`() async throws {
        try await TestServer.withClient { client in
            let answer = try client.call("FailLate")
            #expect(answer.texts == ["one"])
            #expect(answer.status == 5)
            #expect(answer.headers.count == 2)
        }
    }

    @Test(arguments: ["/test.Test/None", "/none", "/", "/a/b/c"])
    func `does not know other methods`(path: String) async throws {
        try await TestServer.withClient { client in
            let stream = client.newStream()
            try client.sendHead(stream, FrameClient.head("None", changed: [":path": path]), endsStream: true)
            #expect(try client.answer(stream).status == 12)
        }
    }
}
