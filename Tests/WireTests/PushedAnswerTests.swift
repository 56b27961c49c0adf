// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import LiveServing
import LoopbackRelay
import Metering
import NIOCore
import Testing
import Wire

/// Answers whose parts are pushed: what the kernel takes at once goes past the channel, and the rest through it.
@Suite(.timeLimit(.minutes(5))) struct PushedAnswerTests {
    @Test(
        "each part arrives once and in order, and all bytes are recorded",
        arguments: [(byteCount: 100, partCount: 500), (byteCount: 1 << 20, partCount: 8)],
        [true, false]
    )
    func arrives(parts: (byteCount: Int, partCount: Int), isReadAtOnce: Bool) async throws {
        try await SampleServer.run(PushingService(byteCount: parts.byteCount, partCount: parts.partCount)) { server in
            let client = try await blocking {
                let client = try server.connect()
                let head = "GET / HTTP/1.1\r\nHost: a\r\n"
                client.send("\(head)\r\n\(head)Connection: close\r\n\r\n".utf8)
                return client
            }
            // Until then the client takes nothing.
            var records = try await isReadAtOnce ? [] : server.collector.next(1)
            let answer = try await blocking {
                var answer: [UInt8] = []
                while let bytes = client.receive(), !bytes.isEmpty { answer += bytes }
                client.shutdownSending()
                server.relay.finish()
                return answer
            }
            while records.map(\.sent.wire).reduce(0, +) < server.relay.serverToClient {
                records += try await server.collector.next(1)
            }
            let chunks = Self.chunks(of: answer)
            let expected = (0..<parts.partCount).map { PushingService.letter(of: $0) }
            #expect(chunks.map(\.first) == expected + expected)
            #expect(chunks.allSatisfy { $0.count == parts.byteCount && $0.first == $0.last })
            #expect(records.map(\.sent.wire).reduce(0, +) == server.relay.serverToClient)
            #expect(records.map(\.sent.body).reduce(0, +) == Int64(2 * parts.byteCount * parts.partCount))
            #expect(records.map(\.billed.documentReads).reduce(0, +) == Int64(2 * parts.partCount))
            #expect(records.map(\.requestCount).reduce(0, +) == 2)
        }
    }

    @Test func `a client that breaks off is charged what left`() async throws {
        try await SampleServer.run(PushingService(byteCount: 1 << 20, partCount: 64)) { server in
            try await server.breakOff("/", afterReading: 3 << 20)
            var records: [UsageRecord] = []
            var sent: Int64 { records.map(\.sent.wire).reduce(0, +) }
            // Records of parts that the kernel had taken, and threw away, are taken back behind the last one.
            repeat {
                records += try await server.collector.next(1)
            } while records.last?.outcome != .aborted || sent > server.relay.serverToClient
            #expect(sent == server.relay.serverToClient)
        }
    }

    /// The chunks of answers that follow each other.
    private static func chunks(of answers: [UInt8]) -> [ArraySlice<UInt8>] {
        var (rest, chunks) = (answers[...], [ArraySlice<UInt8>]())
        func line() -> ArraySlice<UInt8> {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            return line.dropLast()
        }
        while !rest.isEmpty {
            while !line().isEmpty {}
            while let byteCount = Int(String(decoding: line(), as: UTF8.self), radix: 16) {
                if byteCount > 0 { chunks.append(rest.prefix(byteCount)) }
                rest = rest.dropFirst(byteCount)
                _ = line()
                if byteCount == 0 { break }
            }
        }
        return chunks
    }
}

/// Answers every request with parts that are pushed, one when there is room behind the one before.
private struct PushingService: WireService {
    let meteredService = UsageAttribution.Service.firestore
    let bodyByteCountMax: Int64 = 0
    let byteCount: Int
    let partCount: Int

    static func letter(of part: Int) -> UInt8 { UInt8(ascii: "a") + UInt8(part % 26) }

    func respond(to request: Request, exchange: Exchange) async -> Response {
        exchange.attribute(to: UsageAttribution(service: .firestore, operation: "sample"), billing: .firestore(.zero))
        let ended = AsyncStream.makeStream(of: Never.self)
        exchange.whenGone { ended.continuation.finish() }
        return Response(
            status: .ok,
            body: ResponseBody { [byteCount, partCount] writer in
                let parts = (count: partCount, byteCount: byteCount)
                exchange.beginPushing(Part(number: -1, of: parts, exchange: exchange, ended: ended.continuation))
                for await _ in ended.stream {}
                try await writer.finish(nil)
            }
        )
    }

    func refuseBody(exchange: Exchange) -> Response { Response(status: .contentTooLarge) }

    private final class Part: PushedPart {
        private let number: Int
        private let parts: (count: Int, byteCount: Int)
        private let exchange: Exchange
        private let ended: AsyncStream<Never>.Continuation

        init(
            number: Int,
            of parts: (count: Int, byteCount: Int),
            exchange: Exchange,
            ended: AsyncStream<Never>.Continuation
        ) {
            (self.number, self.parts) = (number, parts)
            (self.exchange, self.ended) = (exchange, ended)
        }

        func handed() { exchange.flush(billed: BilledUsage(documentReads: 1)) }

        func written() {
            let next = number + 1
            guard next < parts.count else { return ended.finish() }
            exchange.push(
                ByteBuffer(repeating: PushingService.letter(of: next), count: parts.byteCount),
                Part(number: next, of: parts, exchange: exchange, ended: ended)
            )
        }
    }
}
