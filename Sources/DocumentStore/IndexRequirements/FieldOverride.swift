// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The single-field indexes of a field that has others than the automatic ones.
package struct FieldOverride: Sendable {
    /// One single-field index.
    package struct Index: Hashable, Sendable {
        package let mode: IndexDefinition.Mode
        package let scope: IndexDefinition.Scope
    }

    package let collectionGroup: String
    /// `nil` for every field without an override of its own.
    package let path: FieldPath?
    /// None when the field is not indexed at all.
    package let indexes: Set<Index>

    /// The indexes of every field without a configuration: both directions and array membership, per collection.
    ///
    /// Source: firebase.google.com/docs/firestore/query-data/index-overview, automatic indexing (2026-11).
    static let automatic: Set<Index> = [
        Index(mode: .ascending, scope: .collection),
        Index(mode: .descending, scope: .collection),
        Index(mode: .arrayContains, scope: .collection),
    ]
}
