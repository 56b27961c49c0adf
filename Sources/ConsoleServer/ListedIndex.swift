// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// An index of Firestore: one that queries would need in production, or one that is defined.
package struct ListedIndex: Sendable {
    /// Stands for all databases that have no indexes of their own.
    package static let otherDatabases = "*"

    let database: String
    let list: String
    let entry: String
    let queryCount: Int?

    /// Creates an index.
    ///
    /// - Parameters:
    ///   - database: The full name of the database, or ``otherDatabases``.
    ///   - list: The list of `firestore.indexes.json` it belongs in.
    ///   - entry: The entry there, in JSON.
    ///   - queryCount: How many queries needed it; `nil` for one that is defined.
    package init(database: String, list: String, entry: String, queryCount: Int? = nil) {
        (self.database, self.list, self.entry, self.queryCount) = (database, list, entry, queryCount)
    }

    var json: JSONText {
        .object(compacting: [
            ("database", .string(database)), ("list", .string(list)), ("entry", .verbatim(entry)),
            ("queries", queryCount.map { .integer(Int64($0)) }),
        ])
    }
}
