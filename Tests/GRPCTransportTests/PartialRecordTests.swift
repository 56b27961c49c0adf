// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LiveServing
import LoopbackRelay
import Metering
import Testing

/// A stream that lives long is seen in the usage while it is open.
@Suite(.timeLimit(.minutes(5))) struct PartialRecordTests {
    @Test func `files parts that add up to the stream`() async throws {
        try await TestServer.run { server in
            let client = try await blocking { UncheckedBox(try server.connect()) }
            let stream = try await blocking { try client.value.begin("Listen") }
            var records: [UsageRecord] = []
            for text in ["one", "two"] {
                try await blocking {
                    client.value.send(.data(stream, Message.framed(text)))
                    _ = try client.value.answer(stream) { $0.texts.last == text }
                }
                // Here the stream is still open.
                records += try await server.collector.next(1)
            }
            #expect(records.map(\.billed.documentReads) == [1, 1])
            #expect(records.map(\.attribution.operation) == ["firestore.listen", "firestore.listen"])
            #expect(records.map(\.received.body) == [8, 8])
            #expect(records.map(\.sent.body) == [8, 8])
            try await blocking {
                client.value.send(.data(stream, Message.framed("end")))
                _ = try client.value.answer(stream)
                try client.value.finish()
                server.relay.finish()
            }
            // The part of "end", the end of the stream, and the connection.
            records += try await server.collector.next(3)
            #expect(records.map(\.billed.documentReads).reduce(0, +) == 3)
            #expect(records.map(\.received.wire).reduce(0, +) == server.relay.clientToServer)
            #expect(records.map(\.sent.wire).reduce(0, +) == server.relay.serverToClient)
        }
    }
}
