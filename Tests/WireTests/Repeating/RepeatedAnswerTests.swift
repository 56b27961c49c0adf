// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LiveServing
import LoopbackRelay
import Metering
import Testing
import Wire

/// Answers from memory are those of the server, to the byte and in the meter.
@Suite(.timeLimit(.minutes(5))) struct RepeatedAnswerTests {
    private static func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    private static let last = get("/5", "Connection: close\r\n")

    private struct Outcome {
        let messages: [Message]
        let records: [UsageRecord]
        let askedCount: Int
    }

    /// Sends requests, each when the one before is answered.
    private static func converse(
        _ requests: [String],
        _ between: @Sendable @escaping (RepeatingService, Int) -> Void = { _, _ in }
    ) async throws -> Outcome {
        let service = RepeatingService()
        return try await SampleServer.run(service) { server in
            let messages = try await blocking {
                let client = MessageReader(try server.connect())
                let messages = requests.enumerated().map { index, request in
                    between(service, index)
                    return client.exchange(request)
                }
                client.end()
                server.relay.finish()
                return messages
            }
            let records = try await server.collector.next(requests.count)
            #expect(records.map(\.received.wire).reduce(0, +) == server.relay.clientToServer)
            #expect(records.map(\.sent.wire).reduce(0, +) == server.relay.serverToClient)
            return Outcome(messages: messages, records: records, askedCount: service.askedCount)
        }
    }

    @Test(
        "gives the third and later answers to the same head without asking, and counts them alike",
        arguments: [1, 1_000, 16_384, 100_000, 262_144]
    )
    func repeats(size: Int) async throws {
        let outcome = try await Self.converse(Array(repeating: Self.get("/\(size)"), count: 40))
        #expect(outcome.askedCount == 2)
        for (message, record) in zip(outcome.messages, outcome.records) {
            #expect(message.undated == outcome.messages[0].undated)
            #expect(message.body.count == size)
            #expect(message.fields["expires"] == message.fields["date"])
            #expect(message.fields["last-modified"] == "Sat, 21 Nov 2026 00:51:46 GMT")
            #expect(record.untimed == outcome.records[0].untimed)
        }
        #expect(outcome.records[5].billed == BilledUsage(egressBytes: Int64(size), classB: 1))
        #expect(outcome.records[5].attribution.object == "/\(size)")
    }

    @Test func `asks again when what was answered is no longer true`() async throws {
        let outcome = try await Self.converse(Array(repeating: Self.get("/3"), count: 7)) { service, index in
            if index == 3 { service.change() }
        }
        #expect(outcome.messages.map(\.body) == ["aaa", "aaa", "aaa", "bbb", "bbb", "bbb", "bbb"])
        #expect(outcome.askedCount == 3)
    }

    @Test(
        "leaves to the server what may have another answer",
        arguments: [
            ("a failure", get("/0")), ("another method", "HEAD /5 HTTP/1.1\r\nHost: a\r\n\r\n"),
            ("too large", get("/300000")), ("a body", get("/5", "Content-Length: 0\r\n")),
            ("a question first", get("/5", "Expect: 100-continue\r\n")),
        ]
    )
    func asks(name: String, request: String) async throws {
        let outcome = try await Self.converse(Array(repeating: request, count: 5))
        #expect(outcome.askedCount == 5, "\(name)")
    }

    @Test func `tells requests apart by a single byte`() async throws {
        let requests = [Self.get("/5"), Self.get("/6"), Self.get("/5", "A: b\r\n"), Self.get("/5", "A: c\r\n")]
        let outcome = try await Self.converse(requests + requests + requests)
        #expect(outcome.messages.map(\.body.count) == [5, 6, 5, 5, 5, 6, 5, 5, 5, 6, 5, 5])
        #expect(outcome.askedCount == 8)
    }

    @Test(
        "answers in order, whatever is sent together",
        arguments: [
            Array(repeating: get("/7"), count: 200), Array(repeating: get("/100000"), count: 30),
            [get("/7"), get("/9"), get("/7")]
                + ["POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 15\r\n\r\nGET /7 HTTP/1.1"]
                + [get("/7"), get("/0"), get("/7"), "HEAD /8 HTTP/1.1\r\nHost: a\r\n\r\n", get("/7")],
        ]
    )
    func pipelines(requests: [String]) async throws {
        let service = RepeatingService()
        try await SampleServer.run(service) { server in
            let bodies = try await blocking {
                let warm = MessageReader(try server.connect())
                for request in [Self.get("/7"), Self.get("/7"), Self.get("/100000"), Self.get("/100000")] {
                    _ = warm.exchange(request)
                }
                let client = MessageReader(try server.connect())
                client.send((requests + [Self.last]).joined())
                let bodies = requests.map { client.next(isHead: $0.hasPrefix("HEAD")).body.count }
                warm.end()
                client.end()
                server.relay.finish()
                return bodies
            }
            #expect(bodies == requests.map { $0.hasPrefix("HEAD") ? 0 : Self.size($0) })
            let records = try await server.collector.next(requests.count + 5)
            #expect(records.map(\.received.wire).reduce(0, +) == server.relay.clientToServer)
            #expect(records.map(\.sent.wire).reduce(0, +) == server.relay.serverToClient)
        }
    }

    private static func size(_ request: String) -> Int {
        Int(request.split(separator: " ")[1].dropFirst()) ?? 0
    }

    @Test func `gives one answer on many connections at once`() async throws {
        let (clientCount, count) = (16, 50)
        try await SampleServer.run(RepeatingService()) { server in
            let wholeCount = try await withThrowingTaskGroup(of: Int.self) { clients in
                for _ in 0..<clientCount {
                    clients.addTask {
                        try await blocking {
                            let client = MessageReader(try server.connect())
                            defer { client.end() }
                            return (0..<count).count { _ in client.exchange(Self.get("/100000")).body.count == 100_000 }
                        }
                    }
                }
                return try await clients.reduce(0, +)
            }
            #expect(wholeCount == clientCount * count)
            let records = try await server.collector.next(wholeCount)
            #expect(records.allSatisfy { $0.outcome == .complete && $0.sent.body == 100_000 })
        }
    }

    @Test func `tells long heads apart that begin alike`() async throws {
        // The first read of a connection holds no more than 2,048 bytes.
        let start = "GET /9 HTTP/1.1\r\nHost: a\r\nA: \(String(repeating: "a", count: 2_100))"
        let requests = (0..<6).map { "\(start)\($0 % 2)\r\nRange: bytes=\($0)-\r\n\r\n" }
        let service = RepeatingService()
        try await SampleServer.run(service) { server in
            let counts = try await blocking {
                try requests.map { request in
                    let client = MessageReader(try server.connect())
                    defer { client.end() }
                    return client.exchange(request).body.count
                }
            }
            #expect(counts == Array(repeating: 9, count: 6))
            server.relay.finish()
        }
        #expect(service.askedCount == 6)
    }

    @Test func `takes nothing for a request that is part of another`() async throws {
        let inner = Self.get("/7")
        let upload = "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: \(inner.utf8.count)\r\n\r\n\(inner)"
        let requests = [inner, inner, inner, upload]
        let outcome = try await Self.converse(requests)
        #expect(outcome.messages.map(\.body.count) == [7, 7, 7, 2])
    }

    @Test func `keeps the order of what it reads when an answer cannot be sent`() async throws {
        // The bytes that a channel reads at once at first; the hidden request begins the next read.
        let readByteCount = 2_048
        let service = RepeatingService()
        try await serving(service) { port, records in
            let requests = String(repeating: Self.get("/200000"), count: 6)
            let hidden = Self.get("/13")
            let length = "Content-Length: "
            let start = requests + "POST /2 HTTP/1.1\r\nHost: a\r\n\(length)"
            let padding = readByteCount - start.utf8.count - "0000\r\n\r\n".utf8.count
            let count = padding + hidden.utf8.count
            let stream = start + "\(count)\r\n\r\n" + String(repeating: "x", count: padding) + hidden
            try #require((1_000...9_999).contains(count))
            try await blocking {
                let warm = MessageReader(try LoopbackSocket.connected(to: port))
                for _ in 1...2 { _ = warm.exchange(Self.get("/200000")) }
                for _ in 1...20 {
                    let client = try LoopbackSocket.connected(to: port)
                    client.send(stream.utf8)
                    client.reset()
                }
                // One more request, and the end of the server, come after what went before is read.
                _ = warm.exchange(Self.get("/14"))
                warm.end()
            }
            _ = try await records.next(3)
        }
        #expect(service.askedPaths.contains("/14"))
        #expect(!service.askedPaths.contains("/13"))
    }

    @Test func `charges a repeated answer that is broken off what left`() async throws {
        try await SampleServer.run(RepeatingService()) { server in
            let request = Self.get("/262144")
            try await blocking {
                let warm = MessageReader(try server.connect())
                for _ in 1...2 { _ = warm.exchange(request) }
                let client = try server.connect()
                client.send(String(repeating: request, count: 100).utf8)
                _ = client.receive()
                client.reset()
                warm.end()
                server.relay.finish()
            }
            // Answers that the kernel had taken are taken back as far as it threw them away.
            var records: [UsageRecord] = []
            var (received, sent) = (Int64(0), Int64(0))
            while received != server.relay.clientToServer || sent != server.relay.serverToClient {
                let record = try #require(try await server.collector.next(1).first)
                received += record.received.wire
                sent += record.sent.wire
                records.append(record)
            }
            for record in records where record.requestCount > 0 {
                let isTakenBack = records.contains { $0 == record.reversed }
                let isWhole = record.sent.body == 262_144
                #expect(isTakenBack || record.outcome == (isWhole ? .complete : .aborted))
                #expect(record.billed.egressBytes == record.sent.body)
            }
        }
    }
}

extension UsageRecord {
    /// The record without its times.
    fileprivate var untimed: UsageRecord {
        var record = self
        (record.startMicroseconds, record.durationMicroseconds) = (0, 0)
        return record
    }
}
