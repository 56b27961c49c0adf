// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Foundation
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Whether committed transactions are as if they had run one after the other, in the order of their commit times.
@Suite(.timeLimit(.minutes(5)))
struct SerializabilityTests {
    /// A committed transaction.
    private struct Entry {
        let commitTime: Timestamp
        var reads: [CounterModel.Read] = []
        var writes: [String: Int64?] = [:]
    }

    @Test func `simulated clients see what they commit on`() throws {
        var counts = (committed: 0, aborted: 0, waited: 0)
        for seed in UInt64(0)..<60 {
            var clients = SimulatedClients(seed: seed)
            try clients.run(stepCount: 300)
            counts.committed += clients.committedCount
            counts.aborted += clients.abortedCount
            counts.waited += clients.waitedCount
        }
        #expect(counts.committed > 2_000)
        #expect(counts.aborted > 200)
        #expect(counts.waited > 200)
    }

    @Test(arguments: [true, false], [UInt64(1), 2])
    func `concurrent transactions can be replayed in commit order`(isOnFile: Bool, seed: UInt64) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "transactions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try SQLiteDocumentStore(
            location: isOnFile ? .file(directory.appending(path: "documents.sqlite")) : .memory,
            clock: { noon },
            durability: .deferred
        )
        var times = TransactionTimes.documented
        times.lockTimeout = .seconds(50)
        let manager = TransactionManager(store: store, times: times)
        let log = NIOLockedValueBox<[Entry]>([])
        let runner = TransactionRunner(store: store, manager: manager)
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    var generator = SeededGenerator(seed: seed * 100 + UInt64(task))
                    for _ in 0..<30 {
                        let entry = try await Self.makeEntry(runner, &generator)
                        log.withLockedValue { $0.append(entry) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(log.withLockedValue(\.count) == 240)
        let final = try runner.state()
        #expect(replay(log.withLockedValue(\.self)) == final)
        #expect(manager.core.update { $0.locks.isEmpty && $0.commits.isEmpty && $0.storing.isEmpty })
    }

    private static func makeEntry(_ runner: TransactionRunner, _ generator: inout SeededGenerator) async throws -> Entry
    {
        let writes = generator.chance(80) ? generator.counterWrites() : [:]
        if generator.chance(20), !writes.isEmpty {
            return Entry(commitTime: try await runner.write(writes), writes: writes)
        }
        let (time, reads) = try await runner.run(writes, &generator)
        return Entry(commitTime: time, reads: reads, writes: writes)
    }

    /// Checks each transaction's reads against the state just before it, and returns the last state.
    private func replay(_ entries: [Entry]) -> CounterModel {
        var model = CounterModel()
        // One that wrote nothing read what was committed up to its time.
        let ordered = entries.sorted {
            ($0.commitTime, $0.writes.isEmpty ? 1 : 0) < ($1.commitTime, $1.writes.isEmpty ? 1 : 0)
        }
        for entry in ordered {
            for read in entry.reads {
                #expect(model.again(read) == read)
            }
            model.apply(entry.writes)
        }
        return model
    }
}

/// Runs transactions over the counters as a client library does: again and again until they commit.
struct TransactionRunner {
    let store: SQLiteDocumentStore
    let manager: TransactionManager

    /// Writes outside of transactions and returns the commit time.
    func write(_ writes: [String: Int64?]) async throws -> Timestamp {
        try await manager.commit(Self.writes(writes), in: demo).commitTime
    }

    /// Reads at random, then writes; returns the commit time and the reads of the attempt that committed.
    func run(
        _ writes: [String: Int64?],
        _ generator: inout SeededGenerator
    ) async throws -> (Timestamp, [CounterModel.Read]) {
        var former: TransactionID?
        while true {
            let id = try manager.begin(.readWrite(retrying: former), in: demo)
            former = id
            var reads: [CounterModel.Read] = []
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                reads.append(try read(in: id, &generator))
                await Task.yield()
            }
            do {
                return (try await manager.commit(Self.writes(writes), in: demo, transaction: id).commitTime, reads)
            } catch let error as FirestoreError where error == .contention {
                continue
            }
        }
    }

    /// The final contents of the store.
    func state() throws -> CounterModel {
        var model = CounterModel()
        for document in try store.run(Query("c"), in: demo).documents {
            guard case .integer(let number) = try document.fields["n"] else { continue }
            model.apply([document.path.description: number])
        }
        return model
    }

    private func read(in id: TransactionID, _ generator: inout SeededGenerator) throws -> CounterModel.Read {
        guard generator.chance(40) else {
            let name = generator.counterName()
            return try manager.read(in: id, of: demo, locking: .documents([path(name)])) { _ in
                guard case .integer(let number) = try store.fields(name)?["n"] else { return .document(name, nil) }
                return .document(name, number)
            }
        }
        let bound = Int64.random(in: 0...9, using: &generator)
        let query = try CounterModel.query(above: bound)
        return try manager.read(in: id, of: demo, locking: .query(query)) { _ in .above(bound, try store.paths(query)) }
    }

    private static func writes(_ writes: [String: Int64?]) throws -> [Write] {
        try writes.map { text, number in
            guard let number else { return .delete(try path(text)) }
            return .set(try path(text), fields: ["n": .integer(number)])
        }
    }
}
