// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Metering
import NIOCore
import NIOPosix
import Testing

@testable import Wire

@Suite struct AnswerMemoryTests {
    private static let date = "Sat, 21 Nov 2026 00:51:46 GMT"

    private static func bytes(bodyByteCount: Int = 4, date: String = date) -> DatedBytes? {
        let fields = "HTTP/1.1 200 OK\r\nX: \(Self.date)\r\nDate: \(date)\r\n\r\n"
        let message = ByteBuffer(string: fields + String(repeating: "b", count: bodyByteCount))
        return DatedBytes(message, headerByteCount: fields.utf8.count, date: Self.date)
    }

    private static func keep(_ head: String, bodyByteCount: Int, in memory: AnswerMemory) throws {
        let answer = KeptAnswer(
            head: ByteBuffer(string: head),
            exchange: Exchange(attribution: UsageAttribution(service: .storage, operation: "sample")),
            status: 200,
            sent: TransferredBytes(header: 1, body: bodyByteCount),
            isCurrent: { true }
        )
        memory.keep(answer, bytes: try #require(bytes(bodyByteCount: bodyByteCount)))
    }

    private static func isKept(_ memory: AnswerMemory, _ head: String) -> Bool {
        if case .answer = memory.find(ByteBuffer(string: head)) { true } else { false }
    }

    @Test func `dates an answer, and touches no other field`() throws {
        var bytes = try #require(Self.bytes())
        let dates = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT"]
        for (second, date) in zip(Int64(784_111_777)..., dates) {
            for _ in 1...6 {
                guard case .buffer(let buffer) = bytes.give(atSecond: second) else {
                    Issue.record("few bytes need no file")
                    return
                }
                #expect(String(buffer: buffer) == "HTTP/1.1 200 OK\r\nX: \(Self.date)\r\nDate: \(date)\r\n\r\nbbbb")
            }
        }
    }

    private static let loop = MultiThreadedEventLoopGroup.singleton.any()

    /// Whether an answer is sent from a file, for each of some seconds when it is asked for.
    private static func filings(of head: String, in memory: AnswerMemory, at seconds: [Int64]) -> [Bool] {
        seconds.map { second in
            guard case .answer(_, .file(let file)) = memory.find(ByteBuffer(string: head), second: second),
                case .fileRegion = file.data(on: loop)
            else { return false }
            return true
        }
    }

    @Test func `gives many bytes from a file when they are asked for often in a second`() throws {
        let memory = AnswerMemory()
        try Self.keep("GET /few", bodyByteCount: MemoryFile.byteCountMin / 2, in: memory)
        try Self.keep("GET /many", bodyByteCount: DatedBytes.givenByteCountOfFile / 3, in: memory)
        #expect(Self.filings(of: "GET /few", in: memory, at: Array(repeating: 1, count: 100)).allSatisfy { !$0 })
        let filings = Self.filings(of: "GET /many", in: memory, at: [1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 5])
        #expect(filings == [false, false, true, true, true, false, false, true, true, false, false, false])
    }

    @Test func `puts no more into files than it has descriptors for, and the later rather than the earlier`() throws {
        let memory = AnswerMemory(budget: DescriptorBudget(countMax: 2))
        for name in "abc" {
            try Self.keep("GET /\(name)", bodyByteCount: DatedBytes.givenByteCountOfFile / 3, in: memory)
        }
        func isFiled(_ name: Character, at second: Int64) -> Bool {
            Self.filings(of: "GET /\(name)", in: memory, at: Array(repeating: second, count: 4))[3]
        }
        #expect("abc".map { isFiled($0, at: 1) } == [true, true, false])
        #expect("cba".map { isFiled($0, at: 2) } == [true, true, false])
    }

    @Test func `keeps no answer that it could not date`() {
        #expect(Self.bytes(date: "Sun, 06 Nov 1994 08:49:37 GMT") == nil)
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
        let memory = AnswerMemory(byteCountMax: 17_000)
        for number in 1...4 {
            try Self.keep("GET /\(number)", bodyByteCount: 600, in: memory)
            #expect(Self.isKept(memory, "GET /1"))
        }
        for number in 5...8 { try Self.keep("GET /\(number)", bodyByteCount: 600, in: memory) }
        let isKept = (1...8).map { Self.isKept(memory, "GET /\($0)") }
        #expect(isKept == [true, false, false, false, true, true, true, true])
    }

    @Test func `keeps nothing that is larger than itself`() throws {
        let memory = AnswerMemory(byteCountMax: 1_000)
        try Self.keep("GET /", bodyByteCount: 1_000, in: memory)
        #expect(!Self.isKept(memory, "GET /"))
    }

    @Test("forgets files of answers that are gone, however many are kept", arguments: 1...24)
    func forgetsFiles(smallCount: Int) throws {
        let memory = AnswerMemory(byteCountMax: 500_000)
        let large = DatedBytes.givenByteCountOfFile / 3
        try Self.keep("GET /gone", bodyByteCount: large, in: memory)
        #expect(Self.filings(of: "GET /gone", in: memory, at: [1, 1, 1])[2])
        for number in 1...3 { try Self.keep("GET /\(number)", bodyByteCount: large, in: memory) }
        for number in 1...smallCount { try Self.keep("GET /small/\(number)", bodyByteCount: 4, in: memory) }
        #expect(!Self.isKept(memory, "GET /gone"))
        #expect(Self.filings(of: "GET /3", in: memory, at: [2, 2, 2])[2])
    }

    @Test func `remembers the last keys`() {
        var keys = LateKeys(countMax: 3)
        let isNew = [1, 1, 2, 3, 1, 4, 2, 5, 3, 6, 7, 1, 7].map { keys.insert($0) }
        #expect(isNew == [true, false, true, true, false, true, false, true, true, true, true, true, false])
    }
}
