// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Firestore's databases in one SQLite file.
///
/// Methods block the calling thread and may be called from any. Reads see one consistent snapshot. On a file they never
/// wait for writers, except the first query by fields that have no index yet, and where commits are deferred all but gets
/// of one document: those first have the file brought up to date. Writes are serialized, those that come together in one
/// transaction of the file. All throw `DocumentStoreError` only.
package final class SQLiteDocumentStore: Sendable {
    let connections: Connections
    let timeline: Timeline
    let caches: StoreCaches
    let writer: StoreWriter
    private let durability: StoreDurability

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
        let (lastCommit, newestRow) = try Self.translatingErrors {
            try connections.write { db in
                let lastCommit = try db.timeline().lastCommit
                try Connections.inTransaction(.beginWriting, db) { db in
                    try VersionPruning(db: db).pruneAtOpening(at: max(lastCommit, clock()))
                }
                return (lastCommit, try db.first(.newestDocumentID) { $0.integer(at: 0) })
            }
        }
        self.connections = connections
        self.durability = durability
        self.timeline = Timeline(clock: clock, lastCommit: lastCommit)
        self.caches = StoreCaches(limits: indexLimits)
        self.writer = StoreWriter(
            connections,
            durability: durability,
            timeline: timeline,
            caches: caches,
            isEmpty: newestRow ?? 0 == 0
        )
    }

    /// Tells an observer of every commit from now on, for as long as the store lives.
    package func addObserver(_ observer: any ChangeObserving) {
        writer.addObserver(observer)
    }

    /// Closes the files, once writes under way are done; calls after this fail.
    package func close() throws {
        defer { connections.close() }
        writer.staged?.close()
        try Self.translatingErrors { try writer.settle() }
    }

    /// Whether a commit would have to wait now, for others or for the file.
    package var isWriting: Bool { writer.isBusy }

    /// Whether reads of several documents would have to wait until the file has all commits.
    package var isFileBehind: Bool { writer.staged?.isEmpty == false }

    /// Whether a commit waits until the disk has it.
    package var waitsForDisk: Bool { durability == .full }

    func read<Result>(_ body: (ReadSession) throws -> Result) throws -> Result {
        try Self.translatingErrors {
            try writer.settle()
            return try connections.read { db in
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

    static func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw DocumentStoreError.databaseFailed(error)
        }
    }
}
