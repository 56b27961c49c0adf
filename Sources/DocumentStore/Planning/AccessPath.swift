// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Which index entries answer a query, and what is left to do with them.
struct AccessPath: Sendable {
    /// One for each disjunction of the filter.
    var branches: [Branch]

    /// The entries for conditions that all must hold.
    struct Branch: Sendable {
        let shape: IndexShape
        /// How many of its parts single keys are looked up of.
        let leadingPartCount: Int
        /// Where the entries are.
        ///
        /// Those of one run are in the query's order, read in its direction.
        let runs: [[KeyInterval]]
        let direction: Query.Direction
        let checks: [Check]
        /// Whether entries that pass the checks are those of the documents wanted, and no other.
        let isComplete: Bool
    }

    /// The intervals of a part of an entry's key.
    struct Check: Sendable {
        /// The part's place; after the last one the name.
        let part: Int
        let intervals: [KeyInterval]
    }

    /// Whether the entries come in the query's order, one a document.
    var isInOrder: Bool {
        branches.count <= 1 && branches.allSatisfy { $0.runs.count <= 1 }
    }
}
