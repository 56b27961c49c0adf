// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Metering
import NIOCore
import Testing

@testable import Wire

@Suite struct AnswerMemoryTests {
    private static func answer(to head: String, bodyByteCount: Int = 4, date: String? = nil) -> KeptAnswer? {
        let exchange = Exchange(attribution: UsageAttribution(service: .storage, operation: "sample"))
        let fields = "HTTP/1.1 200 OK\r\nX: \(exchange.date)\r\nDate: \(date ?? exchange.date)\r\n\r\n"
        return KeptAnswer(
            head: ByteBuffer(string: head),
            exchange: exchange,
            status: 200,
            message: ByteBuffer(string: fields + String(repeating: "b", count: bodyByteCount)),
            headerByteCount: fields.utf8.count,
            isCurrent: { true }
        )
    }

    private static func isKept(_ memory: AnswerMemory, _ head: String) -> Bool {
        if case .answer = memory.find(ByteBuffer(string: head)) { true } else { false }
    }

    @Test func `dates an answer, and touches no other field`() throws {
        let answer = try #require(Self.answer(to: "GET /"))
        let text = String(buffer: answer.bytes(atSecond: 784_111_777))
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines[2] == "Date: Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(lines[1] != "X: Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(lines[4] == "bbbb")
    }

    @Test func `keeps no answer that it could not date`() {
        #expect(Self.answer(to: "GET /", date: "Sun, 06 Nov 1994 08:49:37 GMT") == nil)
    }

    @Test func `tells a head that came before from a new one`() {
        let memory = AnswerMemory()
        guard case .unknown = memory.find(ByteBuffer(string: "GET /")) else {
            Issue.record("a new head is unknown")
            return
        }
        guard case .again = memory.find(ByteBuffer(string: "GET /")) else {
            Issue.record("the second time it came before")
            return
        }
    }

    @Test func `forgets the oldest answers first, but those that were asked for last`() throws {
        let memory = AnswerMemory(byteCountMax: 23_000)
        for number in 1...4 {
            memory.keep(try #require(Self.answer(to: "GET /\(number)", bodyByteCount: 600)))
            #expect(Self.isKept(memory, "GET /1"))
        }
        for number in 5...8 { memory.keep(try #require(Self.answer(to: "GET /\(number)", bodyByteCount: 600))) }
        let isKept = (1...8).map { Self.isKept(memory, "GET /\($0)") }
        #expect(isKept == [true, false, false, false, true, true, true, true])
    }

    @Test func `keeps nothing that is larger than itself`() throws {
        let memory = AnswerMemory(byteCountMax: 1_000)
        memory.keep(try #require(Self.answer(to: "GET /", bodyByteCount: 1_000)))
        #expect(!Self.isKept(memory, "GET /"))
    }
}
