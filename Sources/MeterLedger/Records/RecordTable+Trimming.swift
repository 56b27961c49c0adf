// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension RecordTable {
    /// Deletes some of the rows that are too many or too old, if there are such; returns whether there were.
    ///
    /// The newest row stays, so that its sequence number is not given twice.
    ///
    /// `limits` bounds how many rows are kept, and for how long, back from when the newest began; at most `countMax` rows
    /// are deleted.
    func trim(_ limits: UsageLedgerLimits, countMax: Int64) throws -> Bool {
        let lastSequence = try lastSequence()
        guard let first = try Int64.fetchOne(database, sql: "SELECT min(sequence) FROM record"), first < lastSequence,
            let latest = try startMicroseconds(of: lastSequence)
        else { return false }
        try database.execute(
            sql: """
                DELETE FROM record WHERE sequence BETWEEN ? AND ? AND (sequence <= ? OR startMicroseconds < ?)
                """,
            arguments: [
                first, min(first + countMax - 1, lastSequence - 1), lastSequence - Int64(limits.keptRowCountMax),
                max(latest, 0) - Int64(limits.keptAgeMax / .microseconds(1)),
            ]
        )
        return database.changesCount > 0
    }

    private func startMicroseconds(of sequence: Int64) throws -> Int64? {
        let sql = "SELECT startMicroseconds FROM record WHERE sequence = ?"
        return try Int64.fetchOne(database, sql: sql, arguments: [sequence])
    }
}
