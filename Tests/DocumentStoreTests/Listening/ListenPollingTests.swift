// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import NIOConcurrencyHelpers
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Streams whose clients do not wait, but are called.
struct ListenPollingTests {
    private final class Waiter: ListenWaiter {
        let wakeCount = NIOLockedValueBox(0)

        func wake() { wakeCount.withLockedValue { $0 += 1 } }
    }

    private let waiter = Waiter()
    private var wakeCount: Int { waiter.wakeCount.withLockedValue(\.self) }

    /// The events that there are by now; none where the stream calls when there are some.
    private func next(of stream: ListenStream) throws -> [String]? {
        while true {
            guard let batch = try stream.pull() else { return nil }
            if !batch.isEmpty { return batch.texts }
            if stream.park(waiter) { return [] }
        }
    }

    @Test func `a client is called once when something has happened`() async throws {
        let fixture = try ListenFixture()
        let stream = try await fixture.open(.collection("c"))
        while try next(of: stream)?.isEmpty == false {}
        #expect(wakeCount == 0)
        try fixture.set("c/a", 1)
        try fixture.set("c/b", 2)
        #expect(wakeCount == 1)
        var texts: [String] = []
        while let more = try next(of: stream), !more.isEmpty { texts += more }
        #expect(texts.filter { $0 != "SNAPSHOT" } == ["c/a=1 [1]", "c/b=2 [1]"])
        try fixture.set("c/a", 3)
        #expect(wakeCount == 2)
    }

    /// Something to do that may block.
    struct Blocking: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let target: ListenTarget.Content
        var hasEvents = true
        let act: @Sendable (ListenFixture, ListenStream) throws -> Void
    }

    private static let blocking = [
        Blocking(testDescription: "a change of a limited query", target: .collection("c", limit: 2)) { fixture, _ in
            try fixture.set("c/a", 1)
        },
        Blocking(testDescription: "a large document", target: .collection("c")) { fixture, _ in
            try fixture.store.put("c/a", ["n": .string(String(repeating: "x", count: 70_000))])
        },
        Blocking(testDescription: "many changes", target: .collection("c")) { fixture, _ in
            for number in 0..<100 { try fixture.set("c/\(number)", 1) }
        },
        Blocking(testDescription: "a request", target: .collection("c")) { _, stream in
            stream.add(ListenTarget(id: 2, .collection("d")))
        },
        Blocking(testDescription: "another judgement", target: .collection("c"), hasEvents: false) { _, stream in
            stream.reauthorize()
        },
    ]

    @Test(arguments: blocking)
    func `a pull that must not block leaves to another what may`(blocking: Blocking) async throws {
        let fixture = try ListenFixture()
        let stream = try await fixture.open(blocking.target)
        while try next(of: stream)?.isEmpty == false {}
        try blocking.act(fixture, stream)
        let left = try #require(try stream.pull(mayBlock: false))
        #expect(left.isEmpty && left.continuation == .blocking)
        #expect(try stream.pull()?.isEmpty == !blocking.hasEvents)
    }

    @Test func `a pull that must not block gives what was changed, once`() async throws {
        let fixture = try ListenFixture()
        let stream = try await fixture.open(.collection("c"), .documents([path("d/a")]))
        while try next(of: stream)?.isEmpty == false {}
        try fixture.set("c/a", 1)
        let batch = try #require(try stream.pull(mayBlock: false))
        #expect(batch.texts == ["c/a=1 [1]", "SNAPSHOT"])
        #expect(batch.billedReads == [1: 1])
        #expect(batch.continuation == .whenWoken)
        #expect(try stream.pull()?.isEmpty == true)
    }

    @Test func `a snapshot waits for the targets that are left to a pull that may block`() async throws {
        let fixture = try ListenFixture()
        let stream = try await fixture.open(.collection("c"), .collection("c", limit: 1))
        while try next(of: stream)?.isEmpty == false {}
        try fixture.set("c/a", 1)
        #expect(try stream.pull(mayBlock: false)?.texts == ["c/a=1 [1]"])
        #expect(try stream.pull(mayBlock: false)?.texts == [])
        #expect(try stream.pull()?.texts == ["c/a=1 [2]", "SNAPSHOT"])
    }

    @Test func `the time is announced also where targets are left to a pull that may block`() async throws {
        let fixture = try ListenFixture()
        let stream = try await fixture.open(.collection("c", limit: 1))
        while try next(of: stream)?.isEmpty == false {}
        fixture.advance(seconds: 1)
        try fixture.hub.announceTime()
        #expect(try stream.pull(mayBlock: false)?.continuation == .blocking)
        #expect(try stream.pull()?.texts == ["SNAPSHOT"])
    }

    @Test func `a client is called when its stream is closed`() async throws {
        let fixture = try ListenFixture()
        let stream = try await fixture.open(.collection("c"))
        while try next(of: stream)?.isEmpty == false {}
        stream.close()
        #expect(wakeCount == 1)
        #expect(try next(of: stream) == nil)
    }
}
