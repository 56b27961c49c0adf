// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which index entries to read for a query, and what their order is good for.
struct AccessPath: Sendable {
    /// How the entries' order relates to the query's.
    enum Order: Equatable, Sendable {
        /// Unrelated: sort.
        case unrelated
        /// The same by this field; documents equal in it are to be sorted among themselves.
        case byRuns(FieldPath)
        case exact
    }

    /// A part of one field's index.
    struct Range: Sendable {
        let field: IndexField
        var interval: KeyInterval
    }

    /// In the order in which to read them.
    var ranges: [Range]
    var direction: Query.Direction
    var order: Order
    /// Whether a document can turn up more than once.
    var repeatsDocuments: Bool
}
