// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LoopbackRelay
import Testing

/// Calls that end before their handlers are done.
@Suite(.timeLimit(.minutes(5))) struct CancellationTests {
    @Test func `answers when the deadline has passed, and cancels the handler`() async throws {
        try await TestServer.run { server in
            let answer = try await blocking { try server.connect().call("Wait", [""], [("grpc-timeout", "20m")]) }
            #expect(answer.status == 4)
            #expect(answer["grpc-message"] == "Deadline Exceeded")
            await server.calls.waitForCancellations(1)
        }
    }

    @Test func `answers a call whose deadline is far`() async throws {
        try await TestServer.withClient { client in
            let answer = try client.call("Echo", ["a"], [("grpc-timeout", "99999999H")])
            #expect(answer.texts == ["a"])
        }
    }

    @Test func `cancels the handler when the client resets the stream`() async throws {
        try await TestServer.run { server in
            let client = try await blocking {
                let client = try server.connect()
                let stream = try client.start("Wait")
                // The answer to another call shows that the first has begun.
                _ = try client.call("Echo")
                let cancel: UInt32 = 8
                client.send(.reset(stream, code: cancel))
                return UncheckedBox(client)
            }
            await server.calls.waitForCancellations(1)
            let answer = try await blocking { try client.value.call("Echo", ["alive"]) }
            #expect(answer.texts == ["alive"])
        }
    }

    @Test func `cancels every handler when the client is gone`() async throws {
        try await TestServer.run { server in
            try await blocking {
                let client = try server.connect()
                for _ in 0..<10 { _ = try client.start("Wait") }
                _ = try client.call("Echo")
                client.socket.reset()
            }
            await server.calls.waitForCancellations(10)
        }
    }

    @Test func `tells a handler that reads that the client has given up`() async throws {
        try await TestServer.run { server in
            try await blocking {
                let client = try server.connect()
                let stream = try client.begin("Slurp")
                client.send(.data(stream, Message.framed("a")))
                _ = try client.call("Echo")
                client.send(.reset(stream, code: 8))
                _ = try client.call("Echo")
            }
            await server.calls.waitForCancellations(1)
            #expect(server.calls.readCount == 0)
        }
    }
}

/// Carries a client from one blocking call to the next.
// Unchecked because the calls come one after the other.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
