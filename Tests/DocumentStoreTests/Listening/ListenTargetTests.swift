// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Targets that come, go and are refused, as recorded from production.
@Suite(.timeLimit(.minutes(5)))
struct ListenTargetTests {
    private let fixture: ListenFixture
    private let stream: ListenStream

    init() throws {
        self.fixture = try ListenFixture()
        self.stream = fixture.hub.openStream(in: demo)
        try fixture.set("c/a", 1)
    }

    private var batch: [String]? {
        get async throws { try await stream.next()?.texts }
    }

    @Test func `a removed target is confirmed and told nothing more`() async throws {
        stream.add(ListenTarget(id: 1, .collection("c")))
        _ = try await batch
        stream.remove(1)
        #expect(try await batch == ["REMOVE 1"])
        try fixture.set("c/a", 2)
        stream.add(ListenTarget(id: 2, .collection("c")))
        #expect(try await batch == ["ADD 2", "c/a=2 [2]", "CURRENT 2", "SNAPSHOT"])
    }

    @Test func `removing an unknown target is not answered`() async throws {
        stream.remove(7)
        stream.add(ListenTarget(id: 1, .collection("d")))
        #expect(try await batch == ["ADD 1", "CURRENT 1", "SNAPSHOT"])
    }

    @Test func `an id may be used again after its end`() async throws {
        for _ in 0..<2 {
            stream.add(ListenTarget(id: 1, .collection("d")))
            stream.remove(1)
            #expect(try await batch == ["ADD 1", "CURRENT 1", "SNAPSHOT"])
            #expect(try await batch == ["REMOVE 1"])
        }
    }

    @Test func `a live id is refused, its target lives on`() async throws {
        stream.add(ListenTarget(id: 1, .collection("c")))
        _ = try await batch
        stream.add(ListenTarget(id: 1, .collection("d")))
        #expect(try await batch == ["REMOVE 1 ALREADY_EXISTS: Target ID already exists: 1"])
        try fixture.set("c/a", 2)
        #expect(try await batch == ["c/a=2 [1]", "SNAPSHOT"])
    }

    @Test func `a query that is refused costs its target only`() async throws {
        stream.add(ListenTarget(id: 1, .collection("c")))
        _ = try await batch
        stream.add(ListenTarget(id: 2, .collection("c", limit: -1)))
        #expect(try await batch == ["ADD 2", "REMOVE 2 INVALID_ARGUMENT: limit is negative"])
        stream.add(ListenTarget(id: 2, .refused(FirestoreError(.failedPrecondition, "needs an index"))))
        #expect(try await batch == ["ADD 2", "REMOVE 2 FAILED_PRECONDITION: needs an index"])
        try fixture.set("c/a", 2)
        #expect(try await batch == ["c/a=2 [1]", "SNAPSHOT"])
    }

    @Test func `a target of a single snapshot ends with it`() async throws {
        stream.add(ListenTarget(id: 1, .collection("c"), once: true))
        #expect(try await batch == ["ADD 1", "c/a=1 [1]", "CURRENT 1", "SNAPSHOT", "REMOVE 1"])
        #expect(fixture.hub.viewCount == 0)
    }

    @Test func `the stream picks ids from 1 on`() async throws {
        stream.add(ListenTarget(id: 0, .collection("d")))
        stream.add(ListenTarget(id: 0, .collection("d")))
        #expect(try await batch == ["ADD 1", "CURRENT 1", "SNAPSHOT"])
        #expect(try await batch == ["ADD 2", "CURRENT 2", "SNAPSHOT"])
    }

    @Test(arguments: [-1, 5] as [Int32])
    func `ids that production refuses end the stream`(id: Int32) async throws {
        stream.add(ListenTarget(id: 0, .collection("d")))
        _ = try await batch
        stream.add(ListenTarget(id: id, .collection("d")))
        await #expect(throws: FirestoreError.self) { try await stream.next() }
        #expect(try await stream.next() == nil)
        #expect(fixture.hub.viewCount == 0)
    }

    @Test func `a stream has so many targets and not more`() async throws {
        for id in 1...Int32(ListenLimits.targetMax) {
            stream.add(ListenTarget(id: id, .collection("d")))
            _ = try await batch
        }
        stream.add(ListenTarget(id: 5_000, .collection("d")))
        let texts = try await batch
        #expect(texts?.last?.hasPrefix("REMOVE 5000 RESOURCE_EXHAUSTED") == true)
        #expect(fixture.hub.viewCount == 1)
    }

    @Test func `too many waiting requests end the stream`() async throws {
        for _ in 0...ListenLimits.waitingRequestMax {
            stream.remove(1)
        }
        await #expect(throws: FirestoreError.tooManyListenRequests) { try await stream.next() }
    }

    @Test func `closing ends the wait and lets go of everything`() async throws {
        stream.add(ListenTarget(id: 1, .collection("c")))
        _ = try await batch
        #expect(fixture.hub.viewCount == 1)
        async let last = stream.next()
        stream.close()
        #expect(try await last == nil)
        #expect(fixture.hub.viewCount == 0)
        #expect(fixture.hub.streamCount == 0)
        stream.add(ListenTarget(id: 2, .collection("c")))
        #expect(try await stream.next() == nil)
    }

    @Test func `a cancelled pull can be taken up again`() async throws {
        stream.add(ListenTarget(id: 1, .collection("c")))
        _ = try await batch
        let pull = Task { [stream] in try await stream.next() }
        pull.cancel()
        await #expect(throws: CancellationError.self) { try await pull.value }
        try fixture.set("c/a", 2)
        #expect(try await batch == ["c/a=2 [1]", "SNAPSHOT"])
    }

    @Test func `equal targets share a liveResult`() async throws {
        let other = fixture.hub.openStream(in: demo)
        for target in [stream, other] {
            target.add(ListenTarget(id: 1, .collection("c", where: try isAtLeast(1))))
            target.add(ListenTarget(id: 2, .collection("c", where: try isAtLeast(1))))
            target.add(ListenTarget(id: 3, .collection("c", where: try isAtLeast(2))))
            for _ in 1...3 { _ = try await target.next() }
        }
        #expect(fixture.hub.viewCount == 2)
        try fixture.set("c/a", 3)
        #expect(try await batch == ["c/a=3 [1, 2, 3]", "SNAPSHOT"])
        other.close()
        #expect(fixture.hub.viewCount == 2)
        stream.close()
        #expect(fixture.hub.viewCount == 0)
    }
}
