// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

let other = DatabaseID(project: "demo", database: "other")

/// A store in memory, its transactions, and their clock.
struct TransactionFixture {
    let store: SQLiteDocumentStore
    let clock = ManualClock()
    let manager: TransactionManager

    init(
        store: SQLiteDocumentStore? = nil,
        times: TransactionTimes = .documented,
        limits: TransactionLimits = TransactionLimits()
    ) throws {
        self.store = try store ?? makeStore()
        self.manager = TransactionManager(
            store: self.store,
            clock: clock,
            randomness: SeededGenerator(seed: 1),
            times: times,
            limits: limits
        )
    }

    func begin(retrying former: TransactionID? = nil, in database: DatabaseID = demo) throws -> TransactionID {
        try manager.begin(.readWrite(retrying: former), in: database)
    }

    /// Reads a document's `n`; `nil` when there is none.
    @discardableResult
    func read(_ text: String, in transaction: TransactionID?, of database: DatabaseID = demo) throws -> Value? {
        let path = try path(text)
        return try manager.read(in: transaction, of: database, locking: .documents([path])) { _ in
            try store.fields(text, in: database)?["n"]
        }
    }

    /// Runs a query and returns the paths.
    @discardableResult
    func run(_ query: Query, in transaction: TransactionID?) throws -> [String] {
        try manager.read(in: transaction, of: demo, locking: .query(query)) { _ in try store.paths(query) }
    }

    /// Sets a document's `n`.
    @discardableResult
    func commit(
        _ text: String,
        n: Int64,
        in transaction: TransactionID? = nil,
        of database: DatabaseID = demo
    ) async throws -> CommitResult {
        try await manager.commit(
            [.set(path(text), fields: ["n": .integer(n)])],
            in: database,
            transaction: transaction
        )
    }

    /// Commits in a task of its own, and returns once that waits.
    func commitWaiting(
        _ writes: [Write],
        in transaction: TransactionID? = nil
    ) async throws -> Task<CommitResult, any Error> {
        let before = waitingCount
        let manager = manager
        let task = Task { try await manager.commit(writes, in: demo, transaction: transaction) }
        while waitingCount == before { await Task.yield() }
        return task
    }

    func commitWaiting(
        _ text: String,
        n: Int64,
        in transaction: TransactionID? = nil
    ) async throws -> Task<CommitResult, any Error> {
        try await commitWaiting([.set(path(text), fields: ["n": .integer(n)])], in: transaction)
    }

    /// Whether a commit goes through at once; if not, it is withdrawn.
    func goesThrough(_ writes: [Write], in transaction: TransactionID? = nil) async -> Bool {
        let manager = manager
        let isDone = NIOLockedValueBox(false)
        let task = Task {
            defer { isDone.withLockedValue { $0 = true } }
            _ = try await manager.commit(writes, in: demo, transaction: transaction)
        }
        while waitingCount == 0, !isDone.withLockedValue(\.self) { await Task.yield() }
        if waitingCount > 0 { task.cancel() }
        return (try? await task.value) != nil
    }

    var waitingCount: Int { manager.core.update { $0.graph.count } }

    /// Whether nothing is left of locks, waits and commits.
    var isIdle: Bool {
        manager.core.update { $0.locks.isEmpty && $0.graph.count == 0 && $0.commits.isEmpty && $0.storing.isEmpty }
    }
}

/// The message with which something is refused; `nil` when it is not.
func refusal(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void) async -> String? {
    do {
        try await body()
        return nil
    } catch let error as FirestoreError {
        return "\(error.code.rawValue): \(error.message)"
    } catch {
        return "unexpected \(type(of: error))"
    }
}

/// The refusals of transactions, in production's words.
enum Refusal {
    static let contention = "ABORTED: Too much contention on these documents. Please try again."
    static let over = "ABORTED: The referenced transaction has expired or is no longer valid."
    static let refused = "INVALID_ARGUMENT: The referenced transaction has expired or is no longer valid."
    static let unknown = "INVALID_ARGUMENT: Invalid transaction."
    static let readOnly = "INVALID_ARGUMENT: Cannot modify entities in a read-only transaction."
    static let closed = "UNAVAILABLE: The store is closing. Try again later."
}
