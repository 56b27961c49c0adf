// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct URLSessionTransportTests {
    private func get(_ path: String, from server: LoopbackServer) -> TransportRequest {
        let url = fakeURL("http://127.0.0.1:\(server.port)\(path)")
        return TransportRequest(method: "GET", url: url, headers: ["X-Test": "1"])
    }

    private func answer(status: String = "200 OK", _ body: String) -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }

    @Test func `sends the path and the headers as they are`() async throws {
        let server = try LoopbackServer(answer: answer("image"))
        let path = "/v0/b/demo/o/u%201%2Ff%2B%C3%A4%2F2?alt=media&token=a%20b"
        let response = try await URLSessionTransport().send(get(path, from: server))
        #expect(response.status == 200)
        #expect(response.headers["content-LENGTH"] == "5")
        #expect(try await response.body.collected() == Data("image".utf8))
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("GET \(path) HTTP/1.1\r\n"))
        #expect(request.contains("\r\nUser-Agent: Firemeter-FeedClient/0.1\r\n"))
        #expect(request.contains("\r\nX-Test: 1\r\n"))
        #expect(!request.contains("Cookie"))
    }

    @Test(arguments: ["localhost", "127.0.0.1"]) func `credentials do not follow a redirection to another host or port`(
        _ host: String
    ) async throws {
        let target = try LoopbackServer(answer: answer("image"))
        let location = "http://\(host):\(target.port)/there"
        let moved = "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try LoopbackServer(answer: moved)
        var request = get("/here", from: server)
        request.headers = ["Authorization": "Firebase secret", "X-Firebase-AppCheck": "secret", "X-Test": "1"]
        let response = try await URLSessionTransport().send(request)
        #expect(try await response.body.collected() == Data("image".utf8))
        #expect(server.requests.first?.contains("Firebase secret") == true)
        let head = try #require(target.requests.first)
        #expect(head.contains("X-Test: 1") && !head.contains("secret"))
    }

    @Test func `sends a body with its length and type`() async throws {
        let server = try LoopbackServer(answer: answer("[]"))
        var request = get("/v1/x:runQuery", from: server)
        request.method = "POST"
        request.headers = ["Content-Type": "application/json"]
        request.body = Data("{}".utf8)
        _ = try await URLSessionTransport().send(request)
        let head = try #require(server.requests.first)
        #expect(head.hasPrefix("POST /v1/x:runQuery HTTP/1.1\r\n"))
        #expect(head.contains("\r\nContent-Type: application/json\r\n"))
        #expect(head.contains("\r\nContent-Length: 2\r\n"))
    }

    @Test(arguments: ["404 Not Found", "402 Payment Required", "500 Internal Server Error"])
    func `returns any status as a response`(status: String) async throws {
        let server = try LoopbackServer(answer: answer(status: status, "why"))
        let response = try await URLSessionTransport().send(get("/", from: server))
        #expect(status.hasPrefix("\(response.status)"))
        #expect(try await response.body.collected() == Data("why".utf8))
    }

    @Test(arguments: [(1_000, true), (1_001, false)])
    func `takes bodies up to the limit`(byteCount: Int, isTaken: Bool) async throws {
        let server = try LoopbackServer(answer: answer(String(repeating: "x", count: byteCount)))
        let transport = URLSessionTransport(responseByteCountMax: 1_000)
        let request = get("/", from: server)
        if isTaken {
            #expect(try await transport.send(request).body.collected().count == byteCount)
        } else {
            let error = await #expect(throws: FeedError.self) {
                try await transport.send(request).body.collected()
            }
            #expect(error?.code == .responseUnreadable)
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"])
    func `throws when no whole response came`(answer: String) async throws {
        let server = try LoopbackServer(answer: answer)
        await #expect(throws: URLError.self) {
            try await URLSessionTransport().send(get("/", from: server)).body.collected()
        }
    }

    @Test func `closes the connection of a cancelled request`() async throws {
        let server = try LoopbackServer(answer: nil)
        let request = get("/", from: server)
        let transport = URLSessionTransport()
        let load = Task { try await transport.send(request) }
        for await _ in server.arrived { break }
        load.cancel()
        await #expect(throws: (any Error).self) { try await load.value }
        for await _ in server.closed { break }
    }

    @Test func `hands on what has come before the rest has`() async throws {
        let server = try LoopbackServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort")
        var pieces = try await URLSessionTransport().send(get("/", from: server)).body.makeAsyncIterator()
        #expect(try await pieces.next() == Data("short".utf8))
        await #expect(throws: URLError.self) { try await pieces.next() }
    }

    @Test func `closes the connection of a body that nobody reads`() async throws {
        let server = try LoopbackServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", isLeftOpen: true)
        let transport = URLSessionTransport()
        let status = try await transport.send(get("/", from: server)).status
        #expect(status == 200)
        for await _ in server.closed { break }
    }

    @Test func `does not begin a request that is cancelled already`() async throws {
        let server = try LoopbackServer(answer: nil)
        let request = get("/", from: server)
        let load = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await URLSessionTransport().send(request)
        }
        await #expect(throws: CancellationError.self) { try await load.value }
        #expect(server.requests.isEmpty)
    }
}
