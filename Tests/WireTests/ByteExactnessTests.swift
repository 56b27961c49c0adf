// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LiveServing
import LoopbackRelay
import Metering
import Testing
import Wire

/// Law 1: the bytes in the usage records equal the bytes that an independent relay saw.
@Suite(.timeLimit(.minutes(5))) struct ByteExactnessTests {
    static let get = "GET /bytes/10 HTTP/1.1\r\nHost: a\r\n\r\n"
    static let lastGet = "GET /bytes/10 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    static let upload = "POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
    static let chunkedUpload =
        "POST /up HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n2\r\n\r\n\r\n0\r\nT: v\r\n\r\n"

    @Test(
        "counts every byte of a conversation",
        arguments: [
            ("one request", [lastGet], 1),
            ("keep-alive", [get, get, lastGet], 3),
            ("HEAD", ["HEAD /bytes/1000 HTTP/1.1\r\nHost: a\r\n\r\n", lastGet], 2),
            (
                "304 and 404",
                ["GET /unchanged HTTP/1.1\r\nHost: a\r\n\r\n", "GET /none HTTP/1.1\r\nHost: a\r\n\r\n", lastGet], 3
            ),
            ("chunked response", ["GET /chunked/200000 HTTP/1.1\r\nHost: a\r\n\r\n", lastGet], 2),
            ("large response", ["GET /bytes/5000000 HTTP/1.1\r\nHost: a\r\n\r\n", lastGet], 2),
            ("uploads", [upload, chunkedUpload, lastGet], 3),
            (
                "100-continue",
                ["POST /up HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello", lastGet], 2
            ),
            (
                "refused upload",
                [
                    "POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n"
                        + String(repeating: "x", count: 1_048_577),
                    lastGet,
                ], 2
            ),
            ("HTTP/1.0", ["GET /bytes/10 HTTP/1.0\r\n\r\n"], 1),
            ("refused, then broken off", ["POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\nhello"], 1),
            ("garbage", ["\u{1}\u{2} no request at all\r\n\r\n"], 1),
            ("good, then garbage", [get, "BAD\r\n\r\n"], 2),
            ("half a head", ["GET /bytes/10 HTT"], 1),
            ("half a body", ["POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nhello"], 1),
        ],
        [false, true]
    )
    func counts(conversation: (name: String, requests: [String], recordCount: Int), besideHTTP2: Bool) async throws {
        let (_, requests, recordCount) = conversation
        let service: any WireService = besideHTTP2 ? SampleServiceWithStreams() : SampleService()
        try await SampleServer.run(service) { server in
            try await Self.converse(server, requests)
            let records = try await server.collector.next(recordCount)
            #expect(records.count == recordCount)
            #expect(records.map(\.received.wire).reduce(0, +) == server.relay.clientToServer)
            #expect(records.map(\.sent.wire).reduce(0, +) == server.relay.serverToClient)
            for record in records {
                #expect(record.received.header + record.received.body == record.received.wire)
                #expect(record.sent.header + record.sent.body == record.sent.wire)
            }
        }
    }

    @Test func `credits pipelined requests with their own bytes`() async throws {
        try await SampleServer.run { server in
            let requests = [Self.get, Self.upload, Self.chunkedUpload, Self.lastGet]
            try await Self.converse(server, [requests.joined()])
            let records = try await server.collector.next(4)
            #expect(records.map(\.received.wire) == requests.map { Int64($0.utf8.count) })
            #expect(records.map(\.received.body) == [0, 5, 7, 0])
            #expect(records.map(\.sent.body) == [10, 1, 1, 10])
        }
    }

    @Test func `charges an aborted download what left, not its size`() async throws {
        try await SampleServer.run { server in
            let size: Int64 = 256 << 20
            try await server.breakOff("/bytes/\(size)", afterReading: 1 << 20)
            let record = try #require(try await server.collector.next(1).first)
            #expect(record.outcome == .aborted)
            #expect(record.abortCause == .clientClosed)
            #expect(record.status == 200)
            #expect(record.sent.wire == server.relay.serverToClient)
            #expect(record.sent.body < size)
            #expect(record.billed.egressBytes == record.sent.body)
        }
    }

    @Test func `records a long answer in parts, which add up`() async throws {
        try await SampleServer.run { server in
            let size: Int64 = 1 << 20
            try await Self.converse(
                server,
                ["GET /parts/\(size) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]
            )
            var records: [UsageRecord] = []
            repeat {
                records += try await server.collector.next(1)
            } while records.map(\.sent.wire).reduce(0, +) < server.relay.serverToClient
            #expect(records.count > 2)
            #expect(records.map(\.requestCount).reduce(0, +) == 1)
            #expect(records.map(\.billed.documentReads).reduce(0, +) == 16)
            #expect(records.map(\.received.wire).reduce(0, +) == server.relay.clientToServer)
            #expect(records.map(\.sent.wire).reduce(0, +) == server.relay.serverToClient)
            #expect(records.map(\.sent.body).reduce(0, +) == size)
        }
    }

    /// Sends requests, each in one write, and reads all that is answered.
    private static func converse(_ server: SampleServer, _ requests: [String]) async throws {
        try await blocking {
            let client = try server.connect()
            for request in requests { client.send(request.utf8) }
            client.shutdownSending()
            while let bytes = client.receive(), !bytes.isEmpty {}
            server.relay.finish()
        }
    }
}
