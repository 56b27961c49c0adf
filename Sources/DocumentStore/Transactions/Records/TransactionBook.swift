// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// All transactions that are live or remembered.
struct TransactionBook {
    private let endedCountMax: Int
    private var records: [TransactionID: TransactionRecord] = [:]
    private var liveIDs: [TransactionKey: TransactionID] = [:]
    private var liveCounts: [DatabaseID: Int] = [:]
    /// In the order in which they ended; those before the index are forgotten.
    private var endedIDs: [TransactionID] = []
    private var endedIndex = 0

    init(endedCountMax: Int) {
        self.endedCountMax = endedCountMax
    }

    var liveKeys: Dictionary<TransactionKey, TransactionID>.Keys { liveIDs.keys }

    /// Live and remembered ones.
    var knownCount: Int { records.count }

    func liveCount(in database: DatabaseID) -> Int { liveCounts[database] ?? 0 }

    func isKnown(_ id: TransactionID) -> Bool { records[id] != nil }

    /// A transaction of this database, live or remembered.
    func record(_ id: TransactionID, in database: DatabaseID) -> TransactionRecord? {
        records[id].flatMap { $0.database == database ? $0 : nil }
    }

    /// A live transaction.
    subscript(key: TransactionKey) -> TransactionRecord? {
        liveIDs[key].flatMap { records[$0] }
    }

    mutating func insert(_ record: TransactionRecord, as id: TransactionID) {
        records[id] = record
        liveIDs[record.key] = id
        liveCounts[record.database, default: 0] += 1
    }

    /// Changes a live transaction; does nothing to one that ended meanwhile.
    mutating func update(_ key: TransactionKey, _ change: (inout TransactionRecord) -> Void) {
        guard let id = liveIDs[key], var record = records[id] else { return }
        change(&record)
        records[id] = record
    }

    /// Ends a live transaction and returns it; `nil` when it had ended.
    mutating func end(_ key: TransactionKey, as ending: TransactionRecord.Ending) -> TransactionRecord? {
        guard let id = liveIDs.removeValue(forKey: key), var record = records[id] else { return nil }
        record.phase = .ended(ending)
        records[id] = record
        let liveCount = liveCount(in: record.database) - 1
        liveCounts[record.database] = liveCount == 0 ? nil : liveCount
        endedIDs.append(id)
        if endedIDs.count - endedIndex > endedCountMax { forgetFirst() }
        return record
    }

    /// Forgets transactions older than the memory, as far as they were the first to end.
    mutating func forget(before beginning: Duration) {
        while endedIndex < endedIDs.count, let record = records[endedIDs[endedIndex]], record.beginning < beginning {
            forgetFirst()
        }
    }

    private mutating func forgetFirst() {
        records[endedIDs[endedIndex]] = nil
        endedIndex += 1
        // Moving the rest only when half is gone costs little.
        if endedIndex > endedIDs.count / 2 {
            endedIDs.removeFirst(endedIndex)
            endedIndex = 0
        }
    }
}
