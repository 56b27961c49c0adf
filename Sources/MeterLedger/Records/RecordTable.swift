// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The statements on records.
struct RecordTable {
    let database: Database

    /// The sequence number of the last row, 0 for none.
    func lastSequence() throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT max(sequence) FROM record")
        return try Int64.fetchOne(statement) ?? 0
    }
}
