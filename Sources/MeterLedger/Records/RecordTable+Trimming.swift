// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension RecordTable {
    /// Deletes some of the rows that are too many or too old, if there are such; returns whether there were.
    ///
    /// The newest row stays, so that its sequence number is not given twice.
    ///
    /// `limits` tells how many rows are kept, and for how long, back from when the newest began; at most `countMax` rows
    /// are deleted.
    func trim(_ limits: UsageLedgerLimits, countMax: Int64) throws -> Bool {
        let lastSequence = try lastSequence()
        guard let first = try Int64.fetchOne(database, sql: "SELECT min(sequence) FROM record") else { return false }
        let stepEnd = min(first + countMax - 1, lastSequence - 1)
        let lastTooMany = lastSequence - Int64(limits.keptRowCountMax)
        let end = try isTooOld(stepEnd, lastSequence, limits) ? stepEnd : min(stepEnd, lastTooMany)
        guard end >= first else { return false }
        try database.execute(sql: "DELETE FROM record WHERE sequence <= ?", arguments: [end])
        return true
    }

    private func isTooOld(_ sequence: Int64, _ lastSequence: Int64, _ limits: UsageLedgerLimits) throws -> Bool {
        guard let start = try startMicroseconds(sequence), let latest = try startMicroseconds(lastSequence) else {
            return false
        }
        return start < latest - Int64(limits.keptAgeMax / .microseconds(1))
    }

    private func startMicroseconds(_ sequence: Int64) throws -> Int64? {
        let sql = "SELECT startMicroseconds FROM record WHERE sequence <= ? ORDER BY sequence DESC LIMIT 1"
        return try Int64.fetchOne(database, sql: sql, arguments: [sequence])
    }
}
