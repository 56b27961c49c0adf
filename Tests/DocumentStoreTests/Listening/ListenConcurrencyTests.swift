// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Foundation
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

@Suite(.timeLimit(.minutes(5)))
struct ListenConcurrencyTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "listening-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    private var location: StoreLocation { .file(directory.appending(path: "documents.sqlite")) }

    @Test(arguments: [("c/a", nil), ("c/a", 2), ("d/a", nil)] as [(String, Int?)])
    func `no snapshot shows a commit that is still being told`(written: String, limit: Int?) async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let gate = CommitGate()
        let fixture = try ListenFixture(location: location, firstObserver: gate)
        let stream = fixture.hub.openStream(in: demo)
        stream.add(ListenTarget(id: 1, .collection("c", limit: limit)))
        await withCheckedContinuation { continuation in
            gate.whenEntered { continuation.resume() }
            DispatchQueue.global().async { try? fixture.set(written, 1) }
        }
        // The commit can be read, and the hub does not know of it.
        let documents = written == "c/a" ? ["c/a=1 [1]"] : []
        #expect(try await stream.next()?.texts == ["ADD 1"] + documents + ["CURRENT 1"])
        // Until then there is nothing to pull for.
        #expect(try stream.pull(mayBlock: false)?.continuation == .whenWoken)
        async let next = stream.next()
        gate.open()
        #expect(try await next?.texts == ["SNAPSHOT"])
        try fixture.set("c/b", 2)
        #expect(try await fixture.told(stream) == ["c/b=2 [1]", "SNAPSHOT"])
        try fixture.delete("c/b")
        #expect(try await fixture.told(stream) == ["c/b deleted -[1]", "SNAPSHOT"])
    }

    @Test func `writers and listeners at the same time`() async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        var limits = ListenLimits()
        limits.waitingChangeMax = 20
        limits.firstPartDocumentMax = 4
        let fixture = try ListenFixture(location: location, limits: limits)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<2 {
                group.addTask { try await write(fixture, seed: UInt64(writer)) }
            }
            for listener in 0..<6 {
                group.addTask { try await listen(fixture, limit: listener.isMultiple(of: 2) ? 3 : nil) }
            }
            try await group.waitForAll()
        }
        #expect(fixture.hub.viewCount == 0)
        #expect(fixture.hub.streamCount == 0)
    }

    private func write(_ fixture: ListenFixture, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        for number in 0..<150 {
            let text = "c/\(Int.random(in: 0..<12, using: &generator))"
            if generator.chance(25) { try fixture.delete(text) } else { try fixture.set(text, Int64(number)) }
            await Task.yield()
        }
        try fixture.set("end/\(seed)", 1)
    }

    /// Listens, comes and goes, until both writers are done.
    private func listen(_ fixture: ListenFixture, limit: Int?) async throws {
        let order = [Query.Ordering(try field("n"), .descending)]
        let contents: [Int32: ListenTarget.Content] = [
            1: .collection("c"), 2: .collection("c", orderBy: order, limit: limit), 3: .collection("end"),
        ]
        var client = ModelClient(fixture.history)
        while client.targets[3]?.documents.count != 2 {
            let stream = fixture.hub.openStream(in: demo)
            for (id, content) in contents.sorted(by: { $0.key < $1.key }) {
                let count = client.targets[id]?.documents.count
                client.add(id, content)
                let start = client.token.map { ListenTarget.Start.token($0) } ?? .fresh
                stream.add(ListenTarget(id: id, content, start: start, expectedCount: count))
            }
            let end = client.snapshotCount + 20
            while client.snapshotCount < end, client.targets[3]?.documents.count != 2 {
                client.apply(try await stream.next()?.events ?? [])
            }
            stream.close()
        }
    }
}

/// Holds up the first commit while it is being reported.
private final class CommitGate: ChangeObserving {
    private let entered = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    /// Calls back on a thread of its own.
    func whenEntered(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async { [entered] in
            entered.wait()
            body()
        }
    }

    func open() {
        opened.signal()
    }

    func didCommit(_ changes: CommittedChanges) {
        entered.signal()
        opened.wait()
        // Later commits pass.
        opened.signal()
    }
}
