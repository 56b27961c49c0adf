// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

extension ObjectTable {
    static let selectLive = """
        SELECT \(ObjectRow.columns), \(ObjectRow.noRetirement) FROM object
        WHERE bucketID = ? AND name >= ? AND name < ? ORDER BY name
        """
    static let selectAll = """
        SELECT \(ObjectRow.columns), \(ObjectRow.noRetirement) FROM object
        WHERE bucketID = ?1 AND name >= ?2 AND name < ?3
        UNION ALL
        SELECT \(ObjectRow.columns), \(ObjectRow.retirement) FROM noncurrent
        WHERE bucketID = ?1 AND name >= ?2 AND name < ?3 AND restorableUntil IS NULL
        ORDER BY name, generation
        """
    static let selectSoftlyDeleted = """
        SELECT \(ObjectRow.columns), \(ObjectRow.retirement) FROM noncurrent
        WHERE bucketID = ? AND name >= ? AND name < ? AND restorableUntil > ? ORDER BY name, generation
        """

    /// Returns the rows from a name up to, but without, another, in the order of their bytes.
    ///
    /// The cursor belongs to the one prepared statement: finish with it before asking for the next.
    func rows(
        _ versions: ObjectListQuery.Versions,
        from lower: Data,
        below upper: Data,
        now: Int64
    ) throws -> RowCursor {
        let bounds: StatementArguments = [bucket.id, lower, upper]
        switch versions {
        case .live:
            return try Row.fetchCursor(database.cachedStatement(sql: Self.selectLive), arguments: bounds)
        case .all:
            return try Row.fetchCursor(database.cachedStatement(sql: Self.selectAll), arguments: bounds)
        case .softlyDeleted:
            let statement = try database.cachedStatement(sql: Self.selectSoftlyDeleted)
            return try Row.fetchCursor(statement, arguments: bounds + [now])
        }
    }
}
