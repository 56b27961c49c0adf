// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import DataFiles
package import FirestoreModel

/// Firestore's databases in one SQLite file.
///
/// Methods block the calling thread and may be called from any. Reads see one consistent snapshot. On a file they never
/// wait for writers, except the first query by fields that have no index yet, and where commits are deferred all but gets
/// of one document: those first have the file brought up to date. Writes are serialized, those that come together in one
/// transaction of the file. All throw `FirestoreError` only.
package final class SQLiteDocumentStore: Sendable {
    let connections: Connections
    let timeline: Timeline
    let caches: StoreCaches
    let writer: StoreWriter
    private let durability: StoreDurability
    let reserve: SpaceReserve

    /// Opens or creates a store.
    ///
    /// The clock is the wall clock; commits are later than all before even when it stands still or goes back. What
    /// deletions take on a full disk comes from `reserve`.
    ///
    /// - Throws: `FirestoreError` (unavailable) saying what is wrong with the location.
    package init(
        location: StoreLocation,
        clock: @escaping @Sendable () -> Timestamp,
        durability: StoreDurability = .full,
        indexLimits: IndexLimits = IndexLimits(),
        reserve: SpaceReserve = .none
    ) throws {
        let (connections, state) = try reserve.deleting(isFault: Self.isOfDisk) {
            let connections = try StoreOpening.open(location, durability: durability, reserve: reserve, at: clock())
            return (connections, try Self.prune(connections, at: clock()))
        }
        self.connections = connections
        self.durability = durability
        self.reserve = reserve
        self.timeline = Timeline(clock: clock, lastCommit: state.lastCommit, began: state.began)
        self.caches = StoreCaches(limits: indexLimits)
        self.writer = StoreWriter(
            connections,
            durability: durability,
            timeline: timeline,
            caches: caches,
            reserve: reserve,
            isEmpty: state.newestRow == 0
        )
    }

    /// A store's past, as its file has it.
    private struct OpenedState {
        let lastCommit: Timestamp
        let began: Timestamp
        /// 0 in a store that has never held a document.
        let newestRow: Int64
    }

    /// Removes versions that are too old.
    private static func prune(_ connections: Connections, at now: Timestamp) throws -> OpenedState {
        try translatingErrors {
            try connections.write { db in
                let lastCommit = try db.timeline().lastCommit
                try Connections.inTransaction(.beginWriting, on: db) { db in
                    try VersionPruning(db: db).pruneAtOpening(at: max(lastCommit, now))
                }
                let began = try db.first(.history) { Timestamp(microseconds: $0.integer(at: 0)) }
                let newestRow = try db.first(.newestDocumentID) { $0.integer(at: 0) }
                return OpenedState(
                    lastCommit: lastCommit,
                    began: began ?? Timestamp(seconds: 0),
                    newestRow: newestRow ?? 0
                )
            }
        }
    }

    /// Reports every commit to an observer from now on, for as long as the store lives.
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

    func read<Result>(_ body: (StoreSnapshot) throws -> Result) throws -> Result {
        try Self.translatingErrors {
            try writer.settle()
            return try connections.read { db in
                try body(StoreSnapshot(db, timeline: timeline, caches: caches))
            }
        }
    }

    /// Builds what reads of many documents did without, for the next ones.
    ///
    /// Called behind a read, which it does not undo when an index cannot be built.
    func buildRequestedIndexes() {
        for (database, shapes) in caches.takeRequestedIndexes() {
            try? build(Array(shapes), in: database)
        }
    }

    /// The purpose of a write.
    enum Purpose {
        /// Something new, which must leave the space that is kept for deleting.
        case storing
        /// Setting space free, for which there is space.
        case deleting
    }

    /// Makes a write where the disk has room for what it is for; that of a deletion may be tried twice.
    func write(for purpose: Purpose, _ body: () throws -> Void) throws {
        switch purpose {
        case .storing:
            guard !reserve.isShort else { throw FirestoreError.spaceKept }
            try Self.translatingErrors(body)
        case .deleting:
            try Self.translatingErrors {
                // A refusal, such as that of a transaction, is not the disk's.
                try reserve.deleting(isFault: { $0 is SQLiteError }, tidy: writer.shortenLog, body)
            }
        }
    }

    static func isOfDisk(_ error: any Error) -> Bool {
        (error as? FirestoreError)?.isOfDisk ?? (error is SQLiteError)
    }

    static func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw FirestoreError.databaseFailed(error)
        }
    }
}
