// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import LiveServing
import LoopbackRelay
import Metering
import Testing

@testable import StorageServer

/// Faults as a client meets them on its connection, and what the meter says of them.
@Suite(.timeLimit(.minutes(5))) struct LiveFaultTests {
    static let content = String(repeating: "x", count: 300_000)

    private static func request(_ line: String, _ headers: String = "", _ body: String = "") -> [UInt8] {
        Array("\(line) HTTP/1.1\r\nHost: a\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    /// Stores the content as `a` and plans a fault; returns the header that asks for it.
    private static func prepare(_ server: LiveServer, _ method: String, _ faults: String...) async throws -> String {
        try await server.fixture.send(.post, "/v0/b/bkt/o?name=a", [:], content)
        let texts = faults.map { "\"\($0)\"" }.joined(separator: ",")
        let body = "{\"instructions\":{\"storage.\(method)\":[\(texts)]}}"
        let id = try await server.fixture.send(.post, "/retry_test", [:], body).json("id")
        return "x-retry-test-id: \(try #require(id))\r\n"
    }

    /// The bytes received before the connection ended, and whether a reset ended it.
    private static func conversation(
        _ port: UInt16,
        _ request: [UInt8]
    ) async throws -> (answer: [UInt8], isReset: Bool) {
        try await blocking {
            let client = try LoopbackSocket.connected(to: port)
            client.send(request)
            var answer: [UInt8] = []
            while let bytes = client.receive() {
                if bytes.isEmpty { return (answer, false) }
                answer += bytes
            }
            return (answer, true)
        }
    }

    @Test func `resets a connection instead of an answer`() async throws {
        try await LiveServer.run { server in
            let header = try await Self.prepare(server, "buckets.list", "return-reset-connection")
            let request = Self.request("GET /b", header)
            let (answer, isReset) = try await Self.conversation(server.port, request)
            #expect(answer.isEmpty)
            #expect(isReset)
            let record = try #require(try await server.records.next(1).first)
            #expect(record.outcome == .aborted)
            #expect(record.abortCause == .serverClosed)
            #expect(record.status == 0)
            #expect(record.received.wire == Int64(request.count))
            #expect(record.sent == .zero)
            #expect(record.billed == .zero)
            #expect(record.attribution.operation == "storage.buckets.list")
            let second = String(decoding: try await server.exchange(request), as: UTF8.self)
            #expect(second.hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test(
        "breaks an answer off behind its first bytes",
        arguments: [
            ("GET /v0/b/bkt/o/a?alt=media", "return-broken-stream", 4),
            ("GET /storage/v1/b/bkt/o/a?alt=media", "return-broken-stream-after-256K", 262_144),
            ("GET /storage/v1/b/bkt/o/a", "return-broken-stream", 4),
        ]
    )
    func breaks(line: String, fault: String, byteCount: Int) async throws {
        try await LiveServer.run { server in
            let header = try await Self.prepare(server, "objects.get", fault)
            let relay = try LoopbackRelay(to: server.port)
            let request = Self.request(line, header)
            let (answer, _) = try await Self.conversation(relay.port, request)
            try await blocking { relay.finish() }
            let text = String(decoding: answer, as: UTF8.self)
            let bodyStart = try #require(text.firstRange(of: "\r\n\r\n")).upperBound
            #expect(text.hasPrefix("HTTP/1.1 200 "))
            #expect(text[bodyStart...].utf8.count == byteCount)
            let record = try #require(try await server.records.next(1).first)
            #expect(record.outcome == .aborted)
            #expect(record.abortCause == .serverClosed)
            #expect(record.sent.body == Int64(byteCount))
            #expect(record.sent.wire == relay.serverToClient)
            #expect(record.received.wire == relay.clientToServer)
            #expect(record.billed.egressBytes == Int64(byteCount))
            let second = try await server.exchange(request)
            #expect(second.count > answer.count)
        }
    }

    @Test func `leaves a fault that an answer is too short for`() async throws {
        try await LiveServer.run { server in
            let header = try await Self.prepare(server, "objects.get", "return-broken-stream-after-256K")
            let small = Self.request("GET /v0/b/bkt/o/a?alt=media", header + "Range: bytes=0-9\r\n")
            #expect(String(decoding: try await server.exchange(small), as: UTF8.self).hasSuffix("\r\n\r\nxxxxxxxxxx"))
            let whole = Self.request("GET /v0/b/bkt/o/a?alt=media", header)
            #expect(try await server.exchange(whole).count < Self.content.utf8.count)
            #expect(try await server.exchange(whole).count > Self.content.utf8.count)
        }
    }

    @Test func `answers inside an upload and goes on with the connection`() async throws {
        try await LiveServer.run { server in
            let header = try await Self.prepare(server, "objects.insert", "return-503-after-256K")
            let upload = Self.request("POST /upload/storage/v1/b/bkt/o?uploadType=media&name=b", header, Self.content)
            let question = Self.request("GET /storage/v1/b/bkt/o/b")
            let answer = String(
                decoding: try await server.exchange(upload + question + upload + question),
                as: UTF8.self
            )
            let statuses = answer.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
            #expect(statuses == ["503", "404", "200", "200"])
            let records = try await server.records.next(4)
            #expect(records.map(\.received.wire) == [upload, question, upload, question].map { Int64($0.count) })
            #expect(records.map(\.outcome) == [.complete, .complete, .complete, .complete])
        }
    }

    @Test func `breaks an answer off for the one-time header`() async throws {
        try await LiveServer.run { server in
            let content = String(repeating: "y", count: 1_500_000)
            try await server.fixture.send(.post, "/v0/b/bkt/o?name=a", [:], content)
            let header = "x-goog-emulator-instructions: return-broken-stream\r\n"
            let (_, isReset) = try await Self.conversation(
                server.port,
                Self.request("GET /v0/b/bkt/o/a?alt=media", header)
            )
            #expect(!isReset)
            #expect(try await server.records.next(1).first?.sent.body == 1 << 20)
        }
    }

    /// A planned 503 costs nothing, as a real one; a planned 200 costs what the call does.
    @Test(
        "files a v0 call that a planned fault hits under its operation",
        arguments: [
            ("POST /v0/b/bkt/o?name=a", "objects.insert", "objects.insert", true, false),
            ("GET /v0/b/bkt/o/a", "objects.get", "objects.getMetadata", false, true),
            ("GET /v0/b/bkt/o/a?alt=media", "objects.get", "objects.get", false, true),
            ("PATCH /v0/b/bkt/o/a", "objects.patch", "objects.patch", true, false),
            ("POST /v0/b/bkt/o/a?create_token=true", "objects.patch", "objects.patch", true, false),
            ("DELETE /v0/b/bkt/o/a", "objects.delete", "objects.delete", false, false),
            ("GET /v0/b/bkt/o", "objects.list", "objects.list", true, false),
        ]
    )
    func files(line: String, method: String, operation: String, isClassA: Bool, isClassB: Bool) async throws {
        try await LiveServer.run { server in
            let header = try await Self.prepare(server, method, "return-503", "return-200", "return-reset-connection")
            for status in [503, 200, 0] {
                _ = try await Self.conversation(server.port, Self.request(line, header + "Connection: close\r\n"))
                let record = try #require(try await server.records.next(1).first)
                #expect(record.status == status)
                #expect(record.attribution.operation == "storage.\(operation)")
                #expect(record.attribution.bucket == "bkt")
                #expect(record.attribution.object == (method == "objects.list" ? nil : "a"))
                #expect(record.billed.classA == (status == 200 && isClassA ? 1 : 0))
                #expect(record.billed.classB == (status == 200 && isClassB ? 1 : 0))
            }
        }
    }

    @Test func `counts the answers before a reset`() async throws {
        try await LiveServer.run { server in
            let header = try await Self.prepare(server, "objects.list", "return-reset-connection")
            // So small that it has left before the reset.
            try await server.fixture.send(.post, "/v0/b/bkt/o?name=small", [:], "small")
            let relay = try LoopbackRelay(to: server.port)
            let requests = [Self.request("GET /v0/b/bkt/o/small?alt=media"), Self.request("GET /b/bkt/o", header)]
            _ = try await Self.conversation(relay.port, requests.flatMap(\.self))
            try await blocking { relay.finish() }
            let records = try await server.records.next(2)
            #expect(records.map(\.outcome) == [.complete, .aborted])
            #expect(records.map(\.received.wire).reduce(0, +) == relay.clientToServer)
            #expect(records.map(\.sent.wire).reduce(0, +) == relay.serverToClient)
        }
    }
}
