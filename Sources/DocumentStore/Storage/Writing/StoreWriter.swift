// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles
import Dispatch
import FirestoreModel
import NIOConcurrencyHelpers

/// Makes all commits of a store, one at a time, and reports them to the observers.
final class StoreWriter: Sendable {
    let connections: Connections
    let timeline: Timeline
    let caches: StoreCaches
    /// `nil` where commits wait for the file.
    let staged: StagedCommits?
    /// Where staged commits are written to the file, unless they are needed there sooner.
    let settling = DispatchQueue(label: "firemeter.documents")
    /// `nil` when the store had documents before it was opened.
    let presence: PresenceFilter?
    let reserve: SpaceReserve
    private let queue = WriteQueue()
    private let observers = NIOLockedValueBox<[any ChangeObserving]>([])

    init(
        _ connections: Connections,
        durability: StoreDurability,
        timeline: Timeline,
        caches: StoreCaches,
        reserve: SpaceReserve,
        isEmpty: Bool
    ) {
        self.connections = connections
        self.timeline = timeline
        self.caches = caches
        self.reserve = reserve
        self.staged = durability == .deferred ? StagedCommits() : nil
        self.presence = isEmpty ? PresenceFilter() : nil
    }

    func addObserver(_ observer: any ChangeObserving) {
        observers.withLockedValue { $0.append(observer) }
    }

    /// Whether a commit would have to wait now, for others or for the file.
    var isBusy: Bool { queue.isBusy || staged?.isFull ?? false }

    /// Makes a commit, perhaps together with others; `size` is how many writes it has.
    func commit(size: Int, queued: () -> Void = {}, _ plan: PlannedCommit.Plan) throws {
        if let staged, staged.isFull { try settle() }
        try withoutActuallyEscaping(plan) { plan in
            try queue.run(WriteJob(.commit(plan), size: size), queued: queued, perform: perform)
        }
    }

    /// Makes commits of these sizes one after the other; `plan` works out the one with an index.
    func commitEach(
        sizes: [Int],
        queued: () -> Void,
        _ plan: (Int, Timestamp, FormerState) throws -> PlannedCommit
    ) throws -> [Result<Void, any Error>] {
        if let staged, staged.isFull { try settle() }
        return withoutActuallyEscaping(plan) { plan in
            let jobs = sizes.enumerated().map { index, size in
                WriteJob(.commit { try plan(index, $0, $1) }, size: size)
            }
            queue.run(jobs, queued: queued, perform: perform)
            return jobs.map { $0.outcome ?? .success(()) }
        }
    }

    /// Runs a body in a transaction of its own.
    func write(_ body: (StoreTransaction, Timestamp) throws -> [CommittedChanges]) throws {
        try withoutActuallyEscaping(body) { body in
            try queue.run(WriteJob(.tables(body), size: 1), perform: perform)
        }
    }

    /// Returns once all writes before this are done.
    func waitForTurn() throws {
        try queue.run(WriteJob(.turn, size: 0), perform: perform)
    }

    /// Makes the log give its space back, as far as readers let it.
    func shortenLog() { try? connections.write { try $0.shortenLog() } }

    private func perform(_ jobs: [WriteJob]) {
        if let staged, jobs.allSatisfy({ !$0.isAlone }) {
            for job in jobs { stage(job, in: staged) }
        } else {
            store(jobs)
        }
    }

    /// Runs jobs in one transaction; each has a commit time of its own.
    private func store(_ jobs: [WriteJob]) {
        do {
            try settle()
            try connections.write { db in
                for changes in try commit(jobs, on: db) { tell(changes) }
            }
        } catch {
            for job in jobs {
                job.fail(error)
            }
        }
    }

    private func commit(_ jobs: [WriteJob], on db: SQLiteConnection) throws -> [CommittedChanges] {
        var lastCommit: Timestamp?
        defer { timeline.endCommits(lastCommit: lastCommit) }
        let (changes, transaction) = try inStoreTransaction(db) { transaction in
            try jobs.flatMap { try $0.run(in: transaction, on: timeline, presence: presence) }
        }
        lastCommit = transaction.lastCommit
        return changes
    }

    /// Runs a body in a transaction of the file.
    func inStoreTransaction<Result>(
        _ db: SQLiteConnection,
        _ body: (StoreTransaction) throws -> Result
    ) throws -> (Result, StoreTransaction) {
        let (result, transaction) = try Connections.inTransaction(.beginWriting, on: db) { db in
            let transaction = try StoreTransaction(db, caches: caches)
            let result = try body(transaction)
            try transaction.finish()
            return (result, transaction)
        }
        transaction.rows.publish()
        return (result, transaction)
    }

    /// Still within the turn of the writer, so that no other commit comes in between.
    func tell(_ changes: CommittedChanges) {
        for observer in observers.withLockedValue(\.self) {
            observer.didCommit(changes)
        }
    }
}
