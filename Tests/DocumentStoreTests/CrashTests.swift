// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Foundation
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Kills a writing process at varied moments and looks at what it leaves.
@Suite(.timeLimit(.minutes(10))) struct CrashTests {
    /// A few rounds by default; `FIREMETER_CRASH_ROUNDS` asks for more.
    private static let roundCount =
        ProcessInfo.processInfo.environment["FIREMETER_CRASH_ROUNDS"].flatMap { Int($0) } ?? 6

    @Test func `keeps what was acknowledged, and no half of a commit`() async throws {
        let directory = TemporaryDirectory()
        let file = directory.url.appending(path: "documents.sqlite")
        var generator = SeededGenerator(seed: 61)
        for _ in 0..<Self.roundCount {
            let wantedCount = generator.pick([0, 1, 5, 20, 100, 300])
            let model = try await Threads.run(count: 1) { _ in
                try CrashWriter(file: file).run(until: wantedCount)
            }[0]
            #expect(model.acknowledgementCount >= wantedCount)
            let store = try SQLiteDocumentStore(location: directory.file, clock: { noon })
            try check(store, model)
            try store.expectConsistentEntries()
            #expect(
                try store.connections.write {
                    try $0.value("SELECT integrity_check = 'ok' FROM pragma_integrity_check")
                } == 1
            )
            try store.close()
        }
    }

    private func check(_ store: SQLiteDocumentStore, _ model: CrashModel) throws {
        var total: Int64 = 0
        for (thread, numbers) in model.threads {
            let last = try number(store, "same/\(thread)")
            #expect(numbers.contains(last), "thread \(thread)")
            #expect(try number(store, "c/\(thread)/same/\(thread)") == last)
            let isOdd = try store.document("odd/\(thread)", in: model.database) != nil
            #expect(isOdd == !last.isMultiple(of: 2))
            total += last
        }
        // Threads that had not begun count from the rounds before.
        for thread in 0..<4 where model.threads[thread] == nil {
            total += try number(store, "same/\(thread)")
        }
        #expect(try number(store, "total/all") == total)
    }

    private func number(_ store: SQLiteDocumentStore, _ path: String) throws -> Int64 {
        guard case .integer(let number)? = try store.fields(path, in: CrashModel.database)?["n"] else { return 0 }
        return number
    }
}
