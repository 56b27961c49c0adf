// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LiveServing
import LoopbackRelay
import Metering
import Testing
import Wire

/// The protocol is recognized by the first bytes, and none is lost or counted twice.
@Suite(.timeLimit(.minutes(5))) struct ProtocolDetectionTests {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
    /// `:method: GET`, `:scheme: http`, `:path: /` of the static table, `:authority: a`; the request ends with it.
    private static let get: [UInt8] = [0, 0, 6, 1, 5, 0, 0, 0, 1, 0x82, 0x86, 0x84, 0x41, 0x01, 0x61]

    private struct Outcome {
        var answer: [UInt8] = []
        var records: [UsageRecord] = []
        var received: Int64 = 0
        var sent: Int64 = 0
    }

    /// Sends pieces, one after the other has arrived, reads until `isEnough`, and ends the connection.
    private static func talk(
        _ pieces: [[UInt8]],
        recordCount: Int,
        until isEnough: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
    ) async throws -> Outcome {
        try await SampleServer.run(SampleServiceWithStreams()) { server in
            var outcome = Outcome()
            outcome.answer = try await blocking {
                let client = try server.connect()
                for piece in pieces { client.send(piece) }
                if pieces.count == 1 { client.shutdownSending() }
                var answer: [UInt8] = []
                while !isEnough(answer), let bytes = client.receive(), !bytes.isEmpty { answer += bytes }
                client.shutdownSending()
                while let bytes = client.receive(), !bytes.isEmpty { answer += bytes }
                server.relay.finish()
                return answer
            }
            outcome.records = try await server.collector.next(recordCount)
            outcome.received = server.relay.clientToServer
            outcome.sent = server.relay.serverToClient
            return outcome
        }
    }

    private static func expectExact(_ outcome: Outcome) {
        #expect(outcome.records.map(\.received.wire).reduce(0, +) == outcome.received)
        #expect(outcome.records.map(\.sent.wire).reduce(0, +) == outcome.sent)
    }

    @Test func `takes a preface that comes byte by byte`() async throws {
        let bytes = Self.preface + Self.settings + Self.get
        // SETTINGS and its acknowledgement, the connection's WINDOW_UPDATE, and HEADERS that end stream 1.
        let outcome = try await Self.talk(bytes.map { [$0] }, recordCount: 2) { answer in
            answer.indices.contains { answer[$0...].starts(with: [1, 5, 0, 0, 0, 1]) }
        }
        Self.expectExact(outcome)
        #expect(outcome.records.map(\.attribution.operation) == ["sample", "storage.connection"])
        #expect(outcome.records.map(\.status) == [404, 0])
        #expect(outcome.records.map(\.method) == ["GET", ""])
        #expect(outcome.records.first?.received.wire == Int64(Self.get.count))
    }

    @Test(arguments: ["P", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r", "PRI * HTTP/2.0\r\n\r\nGET / HTTP/1.1\r\n\r\n"])
    func `answers what is not quite the preface as a bad request`(start: String) async throws {
        let outcome = try await Self.talk([Array(start.utf8)], recordCount: 1)
        Self.expectExact(outcome)
        #expect(String(decoding: outcome.answer, as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
        #expect(outcome.records.map(\.outcome) == [.malformed])
    }

    @Test func `ends a connection that speaks garbage behind the preface`() async throws {
        let garbage = [UInt8](repeating: 0x61, count: 100)
        let outcome = try await Self.talk([Self.preface + garbage, []], recordCount: 1)
        Self.expectExact(outcome)
        #expect(outcome.records.map(\.attribution.operation) == ["storage.connection"])
    }
}
