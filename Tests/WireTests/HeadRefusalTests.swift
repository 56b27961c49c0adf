// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LiveServing
import LoopbackRelay
import Metering
import Testing
import Wire

/// The answer to a head that no service sees.
@Suite(.timeLimit(.minutes(5))) struct HeadRefusalTests {
    private static let good = "GET /bytes/3 HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let long = String(repeating: "x", count: 90_000)

    private static let heads: [(name: String, requests: String, statuses: [Int], words: String)] = [
        ("no host", "GET /bytes/3 HTTP/1.1\r\n\r\n" + good, [400, 200], "has no Host field"),
        ("two hosts", "GET /bytes/3 HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n" + good, [400, 200], "more than one Host"),
        ("a body without a host", "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello" + good, [400, 200], "no Host"),
        ("no host in HTTP/1.0", "GET /bytes/3 HTTP/1.0\r\n\r\n", [200], ""),
        ("a long target", "GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n", [414], "The request line is longer than"),
        (
            "a long target behind others", good + good + "GET /\(long) HTTP/1.1\r\n", [200, 200, 414],
            "The request line"
        ),
        ("a long field", "GET / HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n", [431], "head is too large"),
        (
            "many fields", "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 300) + "\r\n", [431],
            "head is too large"
        ),
        (
            "a large head", good + "GET / HTTP/1.1\r\n" + String(repeating: "X: \(long.prefix(79_000))\r\n", count: 60),
            [200, 431], "head is too large"
        ),
        ("garbage", "\u{1}\u{2} no request at all\r\n\r\n", [400], "cannot be read: invalid HTTP method"),
        ("half a head", good + "GET / HTT", [200, 400], "cannot be read"),
    ]

    @Test(arguments: heads.indices, [false, true])
    func `answers a bad head with its status, in the form of the service`(index: Int, besideHTTP2: Bool) async throws {
        let (name, requests, statuses, words) = Self.heads[index]
        let service: any WireService = besideHTTP2 ? SampleServiceWithStreams() : SampleService()
        try await SampleServer.run(service) { server in
            let answer = try await blocking {
                let client = try server.connect()
                // All of it before an answer is read.
                client.send(requests.utf8)
                client.shutdownSending()
                var answer: [UInt8] = []
                while let bytes = client.receive(), !bytes.isEmpty { answer += bytes }
                server.relay.finish()
                return String(decoding: answer, as: UTF8.self)
            }
            let heads = answer.split(separator: "HTTP/1.1 ")
            #expect(heads.compactMap { Int($0.prefix(3)) } == statuses, "\(name)")
            #expect(answer.contains(words))
            #expect(answer.contains("\"status\": \"INVALID_ARGUMENT\"") == (words != ""))
            var records: [UsageRecord] = []
            while records.map(\.received.wire).reduce(0, +) < server.relay.clientToServer {
                records += try await server.collector.next(1)
            }
            #expect(records.map(\.requestCount).reduce(0, +) == Int64(statuses.count))
            #expect(records.map(\.received.wire).reduce(0, +) == server.relay.clientToServer)
            #expect(records.map(\.sent.wire).reduce(0, +) == server.relay.serverToClient)
        }
    }
}
