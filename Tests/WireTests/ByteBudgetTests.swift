// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import Testing

@testable import Wire

struct ByteBudgetTests {
    private let process = ByteBudget("server", byteCountMax: 1_000)

    private func connection(sparing spareByteCount: Int = 100) -> ByteBudget {
        ByteBudget("connection", byteCountMax: 600, of: process, sparing: spareByteCount)
    }

    @Test func `refuses what does not fit, and takes nothing of it`() throws {
        try process.take(900)
        #expect(throws: BudgetExceeded(holder: "server", byteCountMax: 1_000)) { try process.take(101) }
        #expect(process.heldByteCount == 900)
        try process.take(100)
        process.giveBack(1_000)
        #expect(process.heldByteCount == 0)
    }

    @Test func `takes of the parent what is not spare`() throws {
        let connection = connection()
        try connection.take(100)
        #expect(process.heldByteCount == 0)
        try connection.take(300)
        #expect(process.heldByteCount == 300)
        connection.giveBack(350)
        #expect(process.heldByteCount == 0)
        connection.giveBack(50)
        #expect(connection.heldByteCount == 0)
    }

    @Test func `names the budget that is exceeded`() throws {
        let (one, other) = (connection(), connection(sparing: 50))
        #expect(throws: BudgetExceeded(holder: "connection", byteCountMax: 600)) { try one.take(601) }
        try one.take(600)
        #expect(throws: BudgetExceeded(holder: "server", byteCountMax: 1_000)) { try other.take(600) }
        #expect(other.heldByteCount == 0)
        #expect(process.heldByteCount == 500)
        // Its spare bytes are there, whatever the others hold.
        try process.take(500)
        try other.take(50)
        #expect(throws: BudgetExceeded.self) { try other.take(1) }
    }

    @Test func `a reservation gives back once, when it says so or goes`() throws {
        do {
            let reservation = ByteReservation(of: process, sparing: 10)
            try reservation.hold(10)
            #expect(process.heldByteCount == 0)
            try reservation.hold(210)
            try reservation.hold(110)
            #expect(process.heldByteCount == 200)
            #expect(throws: BudgetExceeded.self) { try reservation.hold(2_000) }
            #expect(process.heldByteCount == 200)
        }
        #expect(process.heldByteCount == 0)
        let reservation = ByteReservation(of: process, sparing: 0)
        try reservation.hold(500)
        reservation.giveBack()
        reservation.giveBack()
        #expect(process.heldByteCount == 0)
    }

    @Test func `a connection asks for grains, and keeps one at most`() throws {
        let grain = MemoryLimits.grainByteCount
        let budget = ByteBudget("connection", byteCountMax: 3 * grain + 7)
        do {
            let memory = ConnectionMemory(budget)
            try memory.take(1)
            #expect(budget.heldByteCount == grain)
            try memory.take(3 * grain + 6)
            #expect(budget.heldByteCount == 3 * grain + 7)
            #expect(throws: BudgetExceeded.self) { try memory.take(1) }
            memory.giveBack(2 * grain)
            #expect(budget.heldByteCount == 2 * grain)
            memory.giveBack(grain + 7)
            #expect(budget.heldByteCount == grain)
            try memory.take(5)
        }
        // Whatever was not given back goes with the connection.
        #expect(budget.heldByteCount == 0)
    }

    @Test func `a body is admitted by its declared length, and given back however it ends`() async throws {
        func request(_ length: String?) -> Request {
            let pieces = AsyncStream { continuation in
                continuation.yield(ByteBuffer(string: "abc"))
                continuation.finish()
            }
            var head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/")
            head.headerFields[.contentLength] = length
            return Request(head: head, body: RequestBody(asyncSequence: pieces))
        }
        func collect(_ length: String?, upTo limit: Int = 5_000) async throws -> String {
            let memory = ByteReservation(of: process, sparing: 0)
            defer { memory.giveBack() }
            return String(buffer: try await request(length).wholeBody(upTo: limit, in: memory))
        }
        let full = BudgetExceeded(holder: "server", byteCountMax: 1_000)
        await #expect(throws: RequestBodyError.memoryExceeded(full)) { try await collect("1001") }
        await #expect(throws: RequestBodyError.tooLarge) { try await collect("3", upTo: 2) }
        await #expect(throws: RequestBodyError.broken) { try await collect("4") }
        #expect(try await collect("3") == "abc")
        #expect(process.heldByteCount == 0)
    }
}
