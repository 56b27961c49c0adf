// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import DataFiles
import Dispatch
import GRDB
package import Metering
import NIOConcurrencyHelpers

/// Keeps every usage record and adds them up.
///
///     record ──▶ waiting records ──▶ one transaction per 8,192 records or 100 ms ──▶ rows of records
///                                         └──▶ waiting sums ──▶ one transaction per 24,576 sums ──▶ rollups ◀── reports
///
/// Recording costs a lock and an append; a background queue writes. Records written survive the death of the process,
/// those that still wait do not; sums that wait are computed again from the records. A report first writes what waits, so it
/// sees all that was recorded before it. One ledger at a time may have a directory open.
///
/// On a full disk recording continues: some records wait, the others are lost, and reports list both, see ``UsageGap``.
package final class UsageLedger: UsageRecording, Sendable {
    /// Where the records are kept.
    package enum Storage: Hashable, Sendable {
        /// In memory, for as long as the ledger lives; for tests, as records take much of it.
        case memory
        /// In the file `usage.sqlite` of a directory, which is created if need be.
        case directory(String)
    }

    let limits: UsageLedgerLimits
    let database: any DatabaseWriter
    private let reserve: SpaceReserve
    private let onGap: @Sendable (UsageGap) -> Void
    private let waiting: NIOLockedValueBox<WaitingRecords>
    // Held for the whole of a write: batches are written one after the other, in the order of their recording.
    private let writing: NIOLockedValueBox<LedgerWriting>
    private let queue = DispatchQueue(label: "firemeter.usage-ledger", qos: .utility)

    /// Opens a ledger.
    ///
    /// - Parameters:
    ///   - storage: Where the records are kept.
    ///   - limits: When it writes, and how much it keeps.
    ///   - reserve: Space for deletions; while some of it is missing, nothing is written.
    ///   - onGap: Called when the ledger can no longer be written, and when it can again and has lost records.
    /// - Throws: ``UsageLedgerError`` where neither the file nor, on a full disk, memory takes records.
    package init(
        storage: Storage,
        limits: UsageLedgerLimits = UsageLedgerLimits(),
        reserve: SpaceReserve = .none,
        onGap: @escaping @Sendable (UsageGap) -> Void = { _ in }
    ) throws {
        self.onGap = onGap
        let opened = try Self.opened(storage, limits: limits, reserve: reserve)
        // In memory instead of its file, it takes no room of the disk.
        self.reserve = opened.trouble == nil ? reserve : .none
        self.limits = opened.limits
        database = opened.database
        writing = NIOLockedValueBox(opened.writing)
        var waiting = WaitingRecords(limits: opened.limits)
        if let trouble = opened.trouble { waiting.fileIsMissing(trouble) }
        self.waiting = NIOLockedValueBox(waiting)
        if let gap = waiting.gap(unstored: .zero) { onGap(gap) }
    }

    deinit {
        try? close()
    }

    /// Takes a record; waits for a write only when the buffer is full.
    package func record(_ record: UsageRecord) { self.record(UsageRun(record)) }

    /// Takes records that are alike.
    package func record(_ run: UsageRun) {
        switch waiting.withLockedValue({ $0.append(run) }) {
        case .none, .dropped: break
        case .flushLater: flushLater(after: limits.flushInterval)
        case .flushSoon: queue.async { [weak self] in self?.flushInBackground() }
        case .flushFirst: recordAfterFlush(run)
        }
    }

    /// The number of records that were not kept: recorded after closing, or while the buffer was full and the
    /// database refused to be written.
    package var lostRecordCount: Int64 {
        waiting.withLockedValue { $0.lostRecordCount }
    }

    /// Writes what waits, and returns when all that was recorded before is written.
    ///
    /// After a failure the records wait on.
    package func flush() throws {
        try writing.withLockedValue { try flush(&$0) }
    }

    /// Writes what waits and closes the database; later records are dropped and counted as lost.
    ///
    /// Records that the disk refuses are lost and reported to `onGap`.
    package func close() throws {
        waiting.withLockedValue { $0.close() }
        try writing.withLockedValue { state in
            guard !state.isClosed else { return }
            do {
                try store(&state)
            } catch  where Self.isOfDisk(error) {
                // Rows whose sums are not stored are added up when the ledger is next opened.
                waiting.withLockedValue { $0.loseAll() }
                endTrouble()
            }
            try Self.translating { try database.close() }
            state.isClosed = true
        }
    }

    /// Writes the records that wait, and the sums.
    private func store(_ state: inout LedgerWriting) throws {
        try flush(&state)
        try noting(&state) { state in try Self.translating { try state.storeSums(in: database) } }
        endTrouble()
    }

    private func flush(_ state: inout LedgerWriting) throws {
        guard !waiting.withLockedValue({ $0.isEmpty }) else { return }
        try noting(&state) { state in
            guard !reserve.isShort else { throw UsageLedgerError.spaceKept }
            // This many hold all that waited when this began.
            for _ in 0...limits.waitingRecordCountMax / limits.flushRecordCount {
                guard try flushBatch(&state) else { break }
            }
            // Else trouble with the sums would end and begin with every batch.
            if waiting.withLockedValue({ $0.isInTrouble }) {
                try Self.translating { try state.storeSums(in: database) }
            }
        }
        endTrouble()
    }

    /// Notes when something cannot be written.
    private func noting(
        _ state: inout LedgerWriting,
        _ write: (inout LedgerWriting) throws -> Void
    ) throws {
        do {
            try write(&state)
        } catch let error as UsageLedgerError where Self.isOfDisk(error) {
            let (unstored, since) = (state.unstored, state.unstoredSince)
            let gap = waiting.withLockedValue { waiting in
                waiting.troubleBegins(error.message, unstoredSince: since) ? waiting.gap(unstored: unstored) : nil
            }
            if let gap { onGap(gap) }
            throw error
        }
    }

    private func endTrouble() {
        let gap = waiting.withLockedValue { $0.troubleEnds() ? $0.gap(unstored: .zero) : nil }
        if let gap { onGap(gap) }
    }

    /// Writes the records that have waited longest; returns whether there were any.
    private func flushBatch(_ state: inout LedgerWriting) throws -> Bool {
        let batch = waiting.withLockedValue { $0.take() }
        guard !batch.isEmpty else { return false }
        do {
            try Self.translating { try state.write(batch, to: database) }
        } catch {
            waiting.withLockedValue { $0.restore(batch) }
            throw error
        }
        if state.waitingSumCount > limits.waitingSumCountMax {
            // Those that cannot be stored wait on; the next report informs its caller.
            try? state.storeSums(in: database)
        }
        return true
    }

    private func recordAfterFlush(_ run: UsageRun) {
        do {
            try flush()
            record(run)
        } catch {
            waiting.withLockedValue { $0.lose(run) }
        }
    }

    private func flushLater(after interval: Duration) {
        let nanoseconds = Int(interval / .nanoseconds(1))
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
            guard let self else { return }
            waiting.withLockedValue { $0.arrangedWriteBegins() }
            flushInBackground()
        }
    }

    private func flushInBackground() {
        do {
            try flush()
            try trim()
        } catch {
            // The records wait on; the next report informs its caller.
            if waiting.withLockedValue({ $0.arrangeWrite() }) { flushLater(after: limits.retryInterval) }
        }
    }

    /// Deletes and sums up what is old, in steps that keep no caller waiting for long.
    func trim() throws {
        while try writing.withLockedValue({ try $0.trim(database, limits: limits) }) {}
    }

    private var isClosed: Bool { waiting.withLockedValue { $0.isClosed } }

    /// Writes what waits, then does something while nothing is written.
    func whileWritten<Value>(_ body: (inout LedgerWriting) throws -> Value) throws -> Value {
        guard !isClosed else { throw UsageLedgerError.closed }
        return try writing.withLockedValue { state in
            try store(&state)
            return try Self.translating { try body(&state) }
        }
    }

    /// Writes what waits, then reads one consistent state, and how much it lacks where that cannot be written.
    func reading<Value>(_ body: (Database, UsageGap?) throws -> Value) throws -> Value {
        guard !isClosed else { throw UsageLedgerError.closed }
        let early: Value? = try writing.withLockedValue { state in
            do {
                try store(&state)
                return nil
            } catch  where Self.isOfDisk(error) {
                // Before anything else is written, so that nothing is both counted and lacking.
                let gap = waiting.withLockedValue { $0.gap(unstored: state.unstored) }
                return try Self.translating { try database.read { try body($0, gap) } }
            }
        }
        if let early { return early }
        let gap = waiting.withLockedValue { $0.gap(unstored: .zero) }
        return try Self.translating { try database.read { try body($0, gap) } }
    }

    /// Whether an error is one of a disk that cannot be written.
    static func isOfDisk(_ error: any Error) -> Bool {
        (error as? UsageLedgerError)?.code == .inputOutput
    }
}
