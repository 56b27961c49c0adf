// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import LiveServing
import Metering
import Testing

@testable import StorageServer

/// Batches as clients send them.
@Suite(.timeLimit(.minutes(5))) struct BatchTests {
    let fixture: StorageFixture

    init() throws { fixture = try StorageFixture() }

    static let headers = ["Content-Type": "multipart/mixed; boundary=b"]

    static func body(_ requests: String...) -> String {
        requests.map { BatchParserTests.part($0) }.joined() + "--b--\r\n"
    }

    private func send(
        _ body: String,
        path: String = "/batch/storage/v1",
        _ more: [String: String] = [:]
    ) async throws -> Answer {
        try await fixture.send(.post, path, Self.headers.merging(more) { $1 }, body)
    }

    /// The parts of an answer.
    private static func parts(_ answer: Answer) throws -> [String] {
        let type = try #require(answer["Content-Type"])
        #expect(type == "multipart/mixed; boundary=batch_token-2")
        #expect(answer.text.hasSuffix("--batch_token-2--\r\n"))
        return answer.text.split(separator: "--batch_token-2").dropLast().map(String.init)
    }

    @Test func `answers calls in their order`() async throws {
        try await fixture.putHello()
        let object = "/storage/v1/b/bkt/o/docs%2Fa.txt"
        let answer = try await send(
            Self.body(
                "GET \(object)?fields=name&prettyPrint=false HTTP/1.1\r\n",
                "PATCH http://emulator.test\(object)?fields=cacheControl&prettyPrint=false HTTP/1.1\r\n"
                    + "Content-Type: application/json\r\n\r\n{\"cacheControl\":\"no-store\"}",
                "DELETE \(object) HTTP/1.1\r\n",
                "GET \(object) HTTP/1.1\r\n",
                "GET \(object)?alt=media HTTP/1.1\r\n"
            )
        )
        #expect(answer.status == 200)
        let parts = try Self.parts(answer)
        #expect(parts.count == 5)
        for part in parts { #expect(part.hasPrefix("\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 ")) }
        #expect(parts[0].contains("HTTP/1.1 200 OK\r\n"))
        #expect(parts[0].hasSuffix("\r\n\r\n{\"name\":\"docs/a.txt\"}\r\n"))
        #expect(parts[0].contains("Content-Length: 21\r\n"))
        #expect(parts[1].hasSuffix("\r\n\r\n{\"cacheControl\":\"no-store\"}\r\n"))
        #expect(parts[2].contains("HTTP/1.1 204 No Content\r\n"))
        #expect(parts[2].contains("Content-Length: 0\r\n"))
        #expect(parts[3].contains("HTTP/1.1 404 Not Found\r\n"))
        #expect(parts[3].contains("No such object: bkt/docs/a.txt"))
        #expect(parts[4].contains("HTTP/1.1 400 Bad Request\r\n"))
        #expect(try fixture.isEmpty())
    }

    @Test func `gives each answer the id of its call`() async throws {
        let body =
            BatchParserTests.part("GET /b/a HTTP/1.1", "Content-ID: <item1@x>\r\n")
            + BatchParserTests.part("GET /b/b HTTP/1.1", "content-id: 2\r\n") + "--b--"
        let answer = try await send(body, path: "/batch")
        let ids = answer.text.split(separator: "\r\n").filter { $0.hasPrefix("Content-ID: ") }
        #expect(ids == ["Content-ID: <response-item1@x>", "Content-ID: response-2"])
    }

    @Test func `lets calls inherit the header and the query of the batch`() async throws {
        try await fixture.putHello()
        let object = "/b/bkt/o/docs%2Fa.txt"
        let answer = try await send(
            Self.body("GET \(object)", "GET \(object)?fields=size", "GET \(object)\r\nIf-Match: *"),
            path: "/batch/storage/v1?fields=name&prettyPrint=false",
            ["If-Match": "other"]
        )
        let parts = try Self.parts(answer)
        #expect(parts[0].contains(" 412 Precondition Failed\r\n"))
        #expect(parts[1].contains(" 412 Precondition Failed\r\n"))
        #expect(parts[2].hasSuffix("{\"name\":\"docs/a.txt\"}\r\n"))
        let second = try await fixture.send(
            .post,
            "/batch/storage/v1?fields=name&prettyPrint=false",
            Self.headers,
            Self.body("GET \(object)?fields=size")
        )
        #expect(second.text.contains("{\"size\":\"11\"}"))
    }

    @Test func `refuses what is no batch`() async throws {
        let malformed = try await send("--b\r\n\r\n--b--")
        #expect(malformed.status == 400)
        let message = "Failed to parse batch request: part 1 has not the content type application/http."
        #expect(try malformed.json("error.message") == message)
        #expect(try await fixture.send(.get, "/batch/storage/v1").status == 405)
        let padding = String(repeating: " ", count: BatchParser.byteCountMax)
        #expect(try await send(Self.body("GET /b") + padding).status == 413)
    }

    @Test func `makes no call of a batch that cannot be read`() async throws {
        try await fixture.putHello()
        let body = Self.body("DELETE /b/bkt/o/docs%2Fa.txt", "no request")
        #expect(try await send(body).status == 400)
        #expect(try fixture.bytes("docs/a.txt") != nil)
    }

    @Test func `is one exchange to the meter`() async throws {
        try await LiveServer.run { server in
            try await server.fixture.putHello()
            let body = Self.body("GET /b/bkt/o/docs%2Fa.txt", "DELETE /b/bkt/o/docs%2Fa.txt")
            let head = "POST /batch/storage/v1 HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/mixed; boundary=b\r\n"
            let request = Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8)
            let answer = try await server.exchange(request)
            #expect(String(decoding: answer, as: UTF8.self).contains("HTTP/1.1 204 No Content"))
            let record = try #require(try await server.records.next(1).first)
            #expect(record.attribution.operation == "storage.batch")
            #expect(record.attribution.object == nil)
            #expect(record.received.wire == Int64(request.count))
            #expect(record.sent.wire == Int64(answer.count))
            #expect(record.outcome == .complete)
        }
    }

    @Test func `meets the faults of its calls`() async throws {
        let plan = #"{"instructions":{"storage.buckets.get":["return-503","return-reset-connection"]}}"#
        let id = try #require(try await fixture.send(.post, "/retry_test", [:], plan).json("id"))
        let answer = try await send(Self.body("GET /b/x", "GET /b"), ["x-retry-test-id": id])
        #expect(answer.text.contains("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(answer.text.contains("HTTP/1.1 200 OK\r\n"))
        await #expect(throws: (any Error).self) {
            try await send(Self.body("GET /b/x"), ["x-retry-test-id": id])
        }
    }
}
