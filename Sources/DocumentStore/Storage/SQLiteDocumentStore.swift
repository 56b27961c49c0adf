// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// Firestore's databases in one SQLite file.
///
/// Methods block the calling thread and may be called from any. Reads see one consistent snapshot and,
/// on a file, never wait for writers, except the first query by fields that have no index yet; writes are
/// serialized, those that come together in one transaction of the file. All throw `DocumentStoreError` only.
package final class SQLiteDocumentStore: Sendable {
    let connections: Connections
    let timeline: Timeline
    let caches: StoreCaches
    private let durability: StoreDurability
    private let queue = WriteQueue()
    private let observers = NIOLockedValueBox<[any ChangeObserving]>([])

    /// Opens or creates a store.
    ///
    /// The clock is the wall clock; commits are later than all before even when it stands still or goes back.
    ///
    /// - Throws: `DocumentStoreError` (unavailable) saying what is wrong with the location.
    package init(
        location: StoreLocation,
        clock: @escaping @Sendable () -> Timestamp,
        durability: StoreDurability = .full,
        indexLimits: IndexLimits = IndexLimits()
    ) throws {
        let connections = try StoreOpening.open(location, durability: durability, at: clock())
        let lastCommit = try Self.translatingErrors {
            try connections.write { db in
                let lastCommit = try db.timeline().lastCommit
                try Connections.inTransaction(.beginWriting, db) { db in
                    try VersionPruning(db: db).pruneAtOpening(at: max(lastCommit, clock()))
                }
                return lastCommit
            }
        }
        self.connections = connections
        self.durability = durability
        self.timeline = Timeline(clock: clock, lastCommit: lastCommit)
        self.caches = StoreCaches(limits: indexLimits)
    }

    /// Tells an observer of every commit from now on, for as long as the store lives.
    package func addObserver(_ observer: any ChangeObserving) {
        observers.withLockedValue { $0.append(observer) }
    }

    /// Closes the files, once writes under way are done; calls after this fail.
    package func close() throws {
        connections.close()
    }

    /// Whether a commit would have to wait for others now.
    package var isWriting: Bool { queue.isBusy }

    /// Whether a commit waits until the disk has it.
    package var waitsForDisk: Bool { durability == .full }

    func read<Result>(_ body: (ReadSession) throws -> Result) throws -> Result {
        try Self.translatingErrors {
            try connections.read { db in
                try body(ReadSession(db, timeline: timeline, caches: caches))
            }
        }
    }

    /// Builds what reads of many documents did without, for the next ones.
    ///
    /// Called behind a read, which it does not undo when an index cannot be built.
    func buildWishedIndexes() {
        for (database, shapes) in caches.takeWishes() {
            try? build(Array(shapes), in: database)
        }
    }

    /// Runs a body in a transaction, perhaps with others, and tells the observers what it changed.
    ///
    /// The body may throw only until it writes.
    func write<Result>(
        size: Int,
        isAlone: Bool = false,
        _ body: (WriteSession) throws -> (Result, CommittedChanges?)
    ) throws -> Result {
        var result: Result?
        let inner = { (session: WriteSession) throws -> CommittedChanges? in
            let outcome = try body(session)
            result = outcome.0
            return outcome.1
        }
        try withoutActuallyEscaping(inner) { inner in
            let job = WriteJob(isAlone: isAlone, size: size, body: inner)
            try Self.translatingErrors { try queue.run(job, perform: perform) }
        }
        guard let result else { preconditionFailure("a job that succeeded has run its body") }
        return result
    }

    /// Runs jobs in one transaction; each has a commit time of its own.
    private func perform(_ jobs: [WriteJob]) {
        do {
            try connections.write { db in
                tell(try commit(jobs, db))
            }
        } catch {
            for job in jobs {
                job.fail(error)
            }
        }
    }

    private func commit(_ jobs: [WriteJob], _ db: SQLiteConnection) throws -> [CommittedChanges] {
        do {
            let (changes, finished) = try Connections.inTransaction(.beginWriting, db) { db in
                let group = try WriteGroup(db, timeline: timeline, caches: caches)
                let changes = try jobs.compactMap { try $0.run(group.nextSession()) }
                return (changes, try group.finish())
            }
            finished.rows.publish()
            timeline.endCommits(lastCommit: finished.lastCommit)
            return changes
        } catch {
            timeline.endCommits(lastCommit: nil)
            throw error
        }
    }

    /// Still within the turn of the writer, so that no other commit comes in between.
    private func tell(_ changes: [CommittedChanges]) {
        let observers = observers.withLockedValue(\.self)
        for change in changes {
            for observer in observers {
                observer.didCommit(change)
            }
        }
    }

    static func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw DocumentStoreError.databaseFailed(error)
        }
    }
}
