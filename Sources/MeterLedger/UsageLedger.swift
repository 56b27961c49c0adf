// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
/// those that still wait do not; sums that wait are made anew from the records. A report first writes what waits, so it
/// sees all that was recorded before it. One ledger at a time may have a directory open.
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
    private let waiting: NIOLockedValueBox<WaitingRecords>
    // Held for the whole of a write: batches are written one after the other, in the order of their recording.
    private let writing: NIOLockedValueBox<LedgerWriting>
    private let queue = DispatchQueue(label: "firemeter.usage-ledger", qos: .utility)

    /// Opens a ledger.
    package init(storage: Storage, limits: UsageLedgerLimits = UsageLedgerLimits()) throws {
        self.limits = limits
        database = try Self.open(storage)
        waiting = NIOLockedValueBox(WaitingRecords(limits: limits))
        let state = try Self.translating { [database] in try LedgerWriting(resuming: database, limits) }
        writing = NIOLockedValueBox(state)
    }

    deinit {
        try? close()
    }

    /// Takes a record; waits for a write only when the buffer is full.
    package func record(_ record: UsageRecord) { self.record(UsageRun(record)) }

    /// The same for records that are alike.
    package func record(_ run: UsageRun) {
        switch waiting.withLockedValue({ $0.append(run) }) {
        case .none, .dropped: break
        case .flushLater: flushLater()
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
    package func close() throws {
        waiting.withLockedValue { $0.close() }
        try writing.withLockedValue { state in
            guard !state.isClosed else { return }
            try flush(&state)
            try Self.translating { try state.storeSums(in: database) }
            try Self.translating { try database.close() }
            state.isClosed = true
        }
    }

    private func flush(_ state: inout LedgerWriting) throws {
        // So many hold all that waited when this began.
        for _ in 0...limits.waitingRecordCountMax / limits.flushRecordCount {
            guard try flushBatch(&state) else { return }
        }
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
            // Those that cannot be stored wait on; the next report tells its caller.
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

    private func flushLater() {
        let nanoseconds = Int(limits.flushInterval / .nanoseconds(1))
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
            // The records wait on; the next report tells its caller.
            if waiting.withLockedValue({ $0.arrangeWrite() }) { flushLater() }
        }
    }

    /// Deletes and sums up what is old, in steps that keep nobody waiting for long.
    func trim() throws {
        while try writing.withLockedValue({ try $0.trim(database, limits) }) {}
    }

    private var isClosed: Bool { waiting.withLockedValue { $0.isClosed } }

    /// Writes what waits, then does something while nothing is written.
    func whileWritten<Value>(_ body: (inout LedgerWriting) throws -> Value) throws -> Value {
        guard !isClosed else { throw UsageLedgerError.closed }
        return try writing.withLockedValue { state in
            try flush(&state)
            return try Self.translating {
                try state.storeSums(in: database)
                return try body(&state)
            }
        }
    }

    /// Writes what waits, then reads one consistent state.
    func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try whileWritten { _ in }
        return try Self.translating { try database.read(body) }
    }
}
