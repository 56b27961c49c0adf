// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Streams that are not pulled, and results too long for one pull.
@Suite(.timeLimit(.minutes(5)))
struct ListenSlowTests {
    private let fixture: ListenFixture

    init() throws {
        var limits = ListenLimits()
        limits.waitingChangeMax = 10
        limits.firstPartDocumentMax = 2
        limits.partDocumentMax = 4
        self.fixture = try ListenFixture(limits: limits)
    }

    @Test func `a stream that missed too much catches up`() async throws {
        try fixture.set("c/old", 1)
        let stream = try await fixture.open(.collection("c"), .collection("c", limit: 2), .documents([path("c/5")]))
        for number in 0..<40 {
            try fixture.set("c/\(number % 8)", Int64(number))
        }
        try fixture.delete("c/old")
        let changes = (0..<8).map { "c/\($0)=\($0 + 32)" }
        let told = try await fixture.told(stream)
        #expect(told.filter { $0.hasSuffix(" [1]") } == changes.map { "\($0) [1]" })
        #expect(told.filter { $0.hasSuffix(" [2]") } == changes.prefix(2).map { "\($0) [2]" })
        #expect(told.contains("c/5=37 [3]") && told.contains("c/old deleted -[1]"))
        #expect(told.count { $0 == "SNAPSHOT" } == 1 && told.last == "SNAPSHOT")
        try fixture.set("c/0", 99)
        #expect(try await fixture.told(stream) == ["c/0=99 [1, 2]", "SNAPSHOT"])
    }

    @Test func `one that slept longer than the past is kept starts anew`() async throws {
        let stream = try await fixture.open(.collection("c", limit: 2))
        for number in 0..<12 {
            try fixture.set("c/\(number)", Int64(number))
        }
        fixture.history.forget(before: Timestamp(microseconds: noon.microseconds + 10_000_000))
        #expect(try await fixture.told(stream) == ["RESET 1", "c/0=0 [1]", "c/1=1 [1]", "CURRENT 1", "SNAPSHOT"])
    }

    @Test func `a quick stream is not held up by a slow one`() async throws {
        let slow = try await fixture.open(.collection("c"))
        let quick = try await fixture.open(.collection("c"))
        for number in 0..<30 {
            try fixture.set("c/a", Int64(number))
            #expect(try await quick.next()?.texts == ["c/a=\(number) [1]", "SNAPSHOT"])
        }
        #expect(try await fixture.told(slow) == ["c/a=29 [1]", "SNAPSHOT"])
    }

    @Test func `a long result comes in parts, right whatever happens meanwhile`() async throws {
        for number in 0..<9 {
            try fixture.set("c/\(number)", Int64(number))
        }
        let stream = fixture.hub.openStream(in: demo)
        stream.add(ListenTarget(id: 1, .collection("c", orderBy: [Query.Ordering(try field("n"))])))
        #expect(try await stream.next()?.texts == ["ADD 1", "c/0=0 [1]", "c/1=1 [1]"])
        try fixture.delete("c/0")
        try fixture.set("c/1", 50)
        try fixture.set("c/new", -1)
        try fixture.delete("c/8")
        #expect(
            try await stream.next()?.texts == [
                "c/0 deleted -[1]", "c/1=50 [] -[1]", "c/new=-1 [1]", "c/2=2 [1]", "c/3=3 [1]", "c/4=4 [1]",
                "c/5=5 [1]",
            ]
        )
        stream.add(ListenTarget(id: 2, .collection("d")))
        #expect(
            try await stream.next()?.texts
                == ["c/6=6 [1]", "c/7=7 [1]", "c/1=50 [1]", "CURRENT 1", "SNAPSHOT"]
        )
        #expect(try await stream.next()?.texts == ["ADD 2", "CURRENT 2", "SNAPSHOT"])
    }

    @Test func `a long result can be called off`() async throws {
        for number in 0..<9 {
            try fixture.set("c/\(number)", Int64(number))
        }
        let stream = fixture.hub.openStream(in: demo)
        stream.add(ListenTarget(id: 1, .collection("c")))
        stream.add(ListenTarget(id: 2, .collection("d")))
        #expect(try await stream.next()?.texts.first == "ADD 1")
        stream.remove(1)
        #expect(try await stream.next()?.events.isEmpty == false)
    }

    @Test func `waiting commits are bounded`() throws {
        let memory = ChangeMemory(byteCountMax: 1_000)
        var waiting = UnevaluatedCommits(changeMax: 10, byteCountMax: 1_000)
        for number in 1...25 {
            let change = DocumentChange(path: try path("c/a"), before: nil, after: nil)
            let time = Timestamp(seconds: Int64(number))
            waiting.add(UnevaluatedCommits.Commit(time: time, content: .changes([change]), memory: memory.hold(1)))
        }
        let (droppedThrough, commits) = waiting.takeAll()
        #expect(droppedThrough == Timestamp(seconds: 22))
        #expect(commits.map(\.time.seconds) == [23, 24, 25])
    }

    @Test func `a log keeps what somebody still has to take, up to its bound`() throws {
        var log = ResultLog(changeMax: 3, byteCountMax: 1_000)
        let change = ResultChange(path: try path("c/a"), document: nil, wasIn: true, isIn: false)
        func append(_ second: Int64) {
            log.append(ResultDelta(time: Timestamp(seconds: second), changes: [change]))
        }
        append(1)
        let first = log.subscribe()
        append(2)
        let second = log.subscribe()
        append(3)
        #expect(log.take(first, through: Timestamp(seconds: 2)).deltas.map(\.time.seconds) == [2])
        #expect(log.take(second, through: Timestamp(seconds: 9)).deltas.map(\.time.seconds) == [3])
        append(4)
        append(5)
        #expect(log.lostThrough < Timestamp(seconds: 0))
        append(6)
        #expect(log.lostThrough == Timestamp(seconds: 3))
        #expect(log.take(first, through: Timestamp(seconds: 9)).deltas.map(\.time.seconds) == [4, 5, 6])
        log.unsubscribe(second)
        append(7)
        #expect(log.take(first, through: Timestamp(seconds: 9)).deltas.map(\.time.seconds) == [7])
    }
}
