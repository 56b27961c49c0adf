// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

@Suite(.timeLimit(.minutes(5)))
struct ConcurrencyTests {
    private let directory: TemporaryDirectory
    private let store: SQLiteDocumentStore

    init() throws {
        self.directory = TemporaryDirectory()
        self.store = try SQLiteDocumentStore(location: directory.file, clock: { noon }, durability: .deferred)
    }

    @Test func `increments from many threads all count`() async throws {
        let observer = TimeObserver()
        store.addObserver(observer)
        let write = Write.transform(try path("c/n"), [FieldTransform(try field("n"), .increment(.integer(1)))])
        let times = try await Threads.run(count: 8) { _ in
            try (0..<25).map { _ in
                let time = try store.commit([write], in: demo).commitTime
                let read = try store.get([write.path], in: demo)
                guard case .found(let document) = read.entries[0] else { throw CancellationError() }
                #expect(document.updateTime <= read.readTime)
                return time
            }
        }
        #expect(try store.fields("c/n") == ["n": .integer(200)])
        #expect(Set(times.joined()).count == 200)
        #expect(observer.times == times.joined().sorted())
    }

    @Test func `a commit that is refused does not take others with it`() async throws {
        let outcomes = try await Threads.run(count: 8) { thread in
            try (0..<20).map { round in
                let isRefused = (thread + round).isMultiple(of: 3)
                let precondition: Precondition? = isRefused ? .exists(true) : nil
                let fields = ["t": Value.integer(Int64(thread))]
                let first = Write.set(try path("d/\(thread)-\(round)"), fields: fields)
                let second = Write.set(try path("e/\(thread)-\(round)"), fields: fields, precondition: precondition)
                let message = refusal { _ = try store.commit([first, second], in: demo) }
                #expect((message != nil) == isRefused)
                return isRefused ? 0 : 1
            }
        }
        let committed = outcomes.joined().reduce(0, +)
        #expect(try store.count(Query("d"), in: demo).count == committed)
        #expect(try store.count(Query("e"), in: demo).count == committed)
    }
}

/// Notes the times of commits in the order in which it receives them.
private final class TimeObserver: ChangeObserving {
    private let box = NIOLockedValueBox<[Timestamp]>([])

    var times: [Timestamp] { box.withLockedValue(\.self) }

    func didCommit(_ changes: CommittedChanges) {
        box.withLockedValue { $0.append(changes.commitTime) }
    }
}
