// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import GRDB
package import Metering
import NIOConcurrencyHelpers

/// Keeps every usage record and adds them up.
///
///     record ──▶ waiting records ──▶ one transaction per 8,192 records or 100 ms ──▶ SQLite ◀── queries
///
/// Recording costs a lock and an append; a background queue writes. Records written survive the death of the process,
/// those that still wait do not. A query first writes what waits, so it sees all that was recorded before it.
package final class UsageLedger: UsageRecording, Sendable {
    /// Where the records are kept.
    package enum Storage: Hashable, Sendable {
        /// In memory, for as long as the ledger lives.
        case memory
        /// In the file `usage.sqlite` of a directory, which is created if need be.
        case directory(String)
    }

    let limits: UsageLedgerLimits
    private let database: any DatabaseWriter
    private let waiting: NIOLockedValueBox<WaitingRecords>
    // Held for the whole of a write: batches are written one after the other, in the order of their recording.
    private let writing = NIOLockedValueBox(TextCache())
    private let queue = DispatchQueue(label: "firemeter.usage-ledger", qos: .utility)

    /// Opens a ledger.
    package init(storage: Storage, limits: UsageLedgerLimits = UsageLedgerLimits()) throws {
        self.limits = limits
        database = try Self.open(storage)
        waiting = NIOLockedValueBox(WaitingRecords(limits: limits))
    }

    deinit {
        try? close()
    }

    /// Takes a record; waits for a write only when the buffer is full.
    package func record(_ record: UsageRecord) {
        switch waiting.withLockedValue({ $0.append(record) }) {
        case .none, .dropped: break
        case .flushLater: flushInBackground(after: limits.flushInterval)
        case .flushSoon: flushInBackground(after: .zero)
        case .flushFirst: recordAfterFlush(record)
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
        try writing.withLockedValue { cache in
            let batch = waiting.withLockedValue { $0.take() }
            guard !batch.isEmpty else { return }
            do {
                try write(batch, cache: &cache)
            } catch {
                cache.forget()
                waiting.withLockedValue { $0.restore(batch) }
                throw error
            }
        }
    }

    /// Writes what waits and closes the database; later records are dropped and counted as lost.
    package func close() throws {
        waiting.withLockedValue { $0.close() }
        try flush()
        try Self.translating { try database.close() }
    }

    private func write(_ batch: [UsageRecord], cache: inout TextCache) throws {
        try Self.translating {
            try database.write { try RecordTable(database: $0).insert(batch, cache: &cache) }
        }
    }

    private func recordAfterFlush(_ record: UsageRecord) {
        do {
            try flush()
            self.record(record)
        } catch {
            waiting.withLockedValue { $0.lose() }
        }
    }

    private func flushInBackground(after delay: Duration) {
        let nanoseconds = Int(delay / .nanoseconds(1))
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
            guard let self else { return }
            do {
                try flush()
            } catch {
                // The records wait on; the next query tells its caller.
                if !isClosed { flushInBackground(after: limits.flushInterval) }
            }
        }
    }

    private var isClosed: Bool { waiting.withLockedValue { $0.isClosed } }

    /// Writes what waits, then reads one consistent state.
    func reading<Value>(_ body: (RecordTable) throws -> Value) throws -> Value {
        guard !isClosed else { throw UsageLedgerError.closed }
        try flush()
        return try Self.translating { try database.read { try body(RecordTable(database: $0)) } }
    }
}
