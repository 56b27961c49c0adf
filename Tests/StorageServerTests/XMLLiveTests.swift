// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LiveServing
import LoopbackRelay
import Metering
import Testing

/// The XML API over real connections.
@Suite(.timeLimit(.minutes(5))) struct XMLLiveTests {
    @Test func `keeps a connection through failures of HEAD`() async throws {
        try await LiveServer.run { server in
            let lines = ["PUT /bkt/a", "HEAD /bkt/none", "HEAD /none", "GET /bkt/none", "HEAD /bkt/a", "GET /bkt/a"]
            let requests = lines.map { AttributionTests.request($0, "", $0.hasPrefix("PUT") ? "hello" : "") }
            let answer = try await server.exchange(Array(requests.joined().utf8))
            let records = try await server.records.next(lines.count)
            #expect(records.map(\.status) == [200, 404, 404, 404, 200, 200])
            #expect(records.map { $0.sent.body > 0 } == [false, false, false, true, false, true])
            #expect(String(decoding: answer, as: UTF8.self).hasSuffix("hello"))
        }
    }

    @Test func `streams a form's file and several ranges of it`() async throws {
        try await LiveServer.run { server in
            let file = String(repeating: "0123456789\r\n--c", count: 200_000)
            let form = XMLFormTests.form([("key", "large")], file: file)
            let post = AttributionTests.request("POST /bkt", AttributionTests.formHeaders, form)
            let ranges = "Connection: close\r\nRange: bytes=1000000-1999999,0-0,2999999-\r\n"
            let get = AttributionTests.request("GET /bkt/large", ranges)
            // The sending side stays open: its end would end the connection, even within the answer.
            let answer = try await blocking {
                let client = try server.connect()
                client.send(Array((post + get).utf8))
                var answer: [UInt8] = []
                while let piece = client.receive(), !piece.isEmpty { answer += piece }
                return answer
            }
            let records = try await server.records.next(2)
            #expect(records.map(\.status) == [204, 206])
            #expect(try server.fixture.bytes("large") == Array(file.utf8))
            let bytes = Array(file.utf8)
            for part in [bytes[1_000_000..<2_000_000], bytes[0..<1], bytes[2_999_999...]] {
                let isHeld = answer.holds(Array("\r\n\r\n".utf8) + part + Array("\r\n--".utf8))
                #expect(isHeld, "\(part.startIndex)")
            }
        }
    }
}

extension [UInt8] {
    /// Whether the bytes occur, found by their first ones.
    fileprivate func holds(_ pattern: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: pattern) }
    }
}
