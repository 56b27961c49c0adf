// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Removes former versions that must not be read any more, a few at a time.
struct VersionPruning {
    let db: SQLiteConnection

    /// Removes some times as many as were added, so that what is too old goes in the course of time.
    func prune(upTo now: Timestamp, added: Int64) throws {
        guard added > 0 else { return }
        try remove(10 * added, upTo: now)
    }

    /// Removes as many as one transaction may.
    func pruneAtOpening(at now: Timestamp) throws {
        try remove(VersionLimits.pruneCountMax, upTo: now)
    }

    private func remove(_ count: Int64, upTo now: Timestamp) throws {
        let horizon = now.microseconds - VersionLimits.retentionMicroseconds
        let excess = try excessCount()
        var last: (id: Int64, until: Int64)?
        try db.with(.oldestVersions) { rows in
            rows.bind(min(count, VersionLimits.pruneCountMax), at: 1)
            var seen: Int64 = 0
            while try rows.step() {
                let until = rows.integer(at: 1)
                guard until <= horizon || seen < excess else { return }
                seen += 1
                last = (rows.integer(at: 0), until)
            }
        }
        guard let last else { return }
        try db.run(.deleteVersions) { $0.bind(last.id, at: 1) }
        try db.run(.setVersionsSince) { $0.bind(last.until, at: 1) }
    }

    /// How many there are beyond the limit; too many after a database was cleared, whose numbers stay away.
    private func excessCount() throws -> Int64 {
        let newest = try db.first(.newestVersionID) { $0.integer(at: 0) } ?? 0
        let oldest =
            try db.first(.oldestVersions) {
                $0.bind(1, at: 1)
            } _: {
                $0.integer(at: 0)
            } ?? newest
        return newest - oldest + 1 - VersionLimits.countMax
    }
}

/// How long and how many former versions of documents are kept.
enum VersionLimits {
    /// How far back reads may go.
    ///
    /// Production refuses read times of more than an hour ago, unless it recovers to points in time ("Point-in-time
    /// recovery", 2026).
    package static let retention = Duration.seconds(3_600)
    /// Of all documents together; the oldest go first, and reads no longer reach behind them.
    ///
    /// Our own choice: some hundreds of megabytes of typical documents.
    package static let countMax: Int64 = 500_000

    static let retentionMicroseconds = retention.components.seconds * 1_000_000
    /// How many one transaction removes at most.
    static let pruneCountMax: Int64 = 2_000
}
