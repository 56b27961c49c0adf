// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

extension Query {
    /// The indexes production would answer with, in the order it looks at them.
    ///
    /// - Throws: `FirestoreError` (invalid argument) for a query that is refused.
    package func servingIndexes(
        aggregating aggregated: [FieldPath] = [],
        nearest: NearestSearch? = nil
    ) throws -> [IndexDefinition] {
        try validate()
        let requirements = IndexRequirement.requirements(of: self, aggregating: aggregated, nearest: nearest)
        var indexes: [IndexDefinition] = []
        for index in requirements.flatMap(\.servingIndexes) where !indexes.contains(index) {
            indexes.append(index)
        }
        return indexes
    }
}

extension IndexRequirement {
    /// Lookups alone are looked up one by one; all else takes the one index made for it.
    fileprivate var servingIndexes: [IndexDefinition] {
        guard orders.isEmpty, vector == nil, equalities.count + memberships.count > 1 else { return [perfectIndex] }
        return perfectIndex.fields.dropLast().map { field in
            IndexDefinition(
                collectionGroup: collectionGroup,
                scope: scope,
                fields: [field, IndexDefinition.Field(path: .documentID, mode: nameMode)]
            )
        }
    }
}
