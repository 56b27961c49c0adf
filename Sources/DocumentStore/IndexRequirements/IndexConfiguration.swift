// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// The indexes an app has defined.
package struct IndexConfiguration: Sendable {
    package let indexes: Set<IndexDefinition>
    package let overrides: [FieldOverride]

    /// Nothing defined: the automatic single-field indexes only.
    package static let automatic = IndexConfiguration(indexes: [], overrides: [])

    /// Whether a field can be looked up by itself.
    func hasSingleFieldIndex(_ path: FieldPath, index: FieldOverride.Index, in group: String) -> Bool {
        singleFieldIndexes(of: path, in: group).contains(index)
    }

    /// The override of the field, else that of the nearest map it is in, else that of all fields.
    private func singleFieldIndexes(of path: FieldPath, in group: String) -> Set<FieldOverride.Index> {
        let ofGroup = overrides.filter { $0.collectionGroup == group }
        for count in stride(from: path.segments.count, through: 1, by: -1) {
            let ancestor = FieldPath(validated: Array(path.segments.prefix(count)))
            if let override = ofGroup.first(where: { $0.path == ancestor }) { return override.indexes }
        }
        return ofGroup.first { $0.path == nil }?.indexes ?? FieldOverride.automatic
    }
}

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

extension IndexConfiguration {
    /// The index that is missing for a requirement; `nil` when what is defined serves it.
    ///
    /// Rules recorded from production (2026-09): equalities and memberships are looked up one by one and intersected;
    /// with orders, every one of them needs an index that continues with exactly those orders.
    func missingIndex(for requirement: IndexRequirement) -> MissingIndex? {
        if requirement.vector != nil {
            return indexes.contains { serves($0, vectorOf: requirement) } ? nil : .vector(requirement.perfectIndex)
        }
        let lookups =
            requirement.equalities.map { ($0, IndexDefinition.Mode.ascending) }
            + requirement.memberships.map { ($0, IndexDefinition.Mode.arrayContains) }
        if requirement.orders.isEmpty {
            guard !lookups.isEmpty else { return missingNameIndex(for: requirement) }
            return missingSingleField(among: lookups, for: requirement)
        }
        if requirement.orders.count == 1, lookups.isEmpty, requirement.orders[0].mode == requirement.nameMode {
            return missingSingleField(among: requirement.orders.map { ($0.path, $0.mode) }, for: requirement)
        }
        return isMerged(lookups.map { IndexDefinition.Field(path: $0.0, mode: $0.1) }, for: requirement)
            ? nil : .composite(requirement.perfectIndex, hasSeveralInequalities: requirement.hasSeveralInequalities)
    }

    /// By name alone the descending order is not an automatic one.
    private func missingNameIndex(for requirement: IndexRequirement) -> MissingIndex? {
        let isDefined = indexes.contains {
            isUsable($0, for: requirement) && $0.fields == requirement.perfectIndex.fields
        }
        guard requirement.nameMode == .descending, !isDefined else { return nil }
        return .composite(requirement.perfectIndex, hasSeveralInequalities: false)
    }

    /// A lookup without an index of its own may still be served by a composite one.
    private func missingSingleField(
        among lookups: [(path: FieldPath, mode: IndexDefinition.Mode)],
        for requirement: IndexRequirement
    ) -> MissingIndex? {
        let missing = lookups.first { lookup in
            let index = FieldOverride.Index(mode: lookup.mode, scope: requirement.scope)
            return !hasSingleFieldIndex(lookup.path, index: index, in: requirement.collectionGroup)
        }
        guard let missing else { return nil }
        let wanted = lookups.map { IndexDefinition.Field(path: $0.path, mode: $0.mode) }
        if isMerged(requirement.orders.isEmpty ? wanted : [], for: requirement) { return nil }
        return .singleField(missing.path, missing.mode, requirement.scope, collectionGroup: requirement.collectionGroup)
    }

    /// Whether indexes that end in the required orders have all its lookups between them.
    private func isMerged(_ lookups: [IndexDefinition.Field], for requirement: IndexRequirement) -> Bool {
        let end = requirement.orders + [IndexDefinition.Field(path: .documentID, mode: requirement.nameMode)]
        let prefixes = indexes.filter { isUsable($0, for: requirement) && $0.fields.ends(with: end) }
            .map { Set($0.fields.dropLast(end.count).map(\.asLookup)) }
            .filter { $0.isSubset(of: lookups) }
        guard !prefixes.isEmpty else { return false }
        return prefixes.reduce(Set()) { $0.union($1) }.isSuperset(of: lookups)
    }

    /// An index of the group serves single collections too.
    private func isUsable(_ index: IndexDefinition, for requirement: IndexRequirement) -> Bool {
        index.collectionGroup == requirement.collectionGroup
            && (index.scope == requirement.scope || index.scope == .collectionGroup)
    }

    private func serves(_ index: IndexDefinition, vectorOf requirement: IndexRequirement) -> Bool {
        guard isUsable(index, for: requirement), index.fields.last == requirement.perfectIndex.fields.last else {
            return false
        }
        let wanted = requirement.perfectIndex.fields.dropLast().filter { !$0.path.isDocumentID }.map(\.asLookup)
        return Set(index.fields.dropLast().filter { !$0.path.isDocumentID }.map(\.asLookup)) == Set(wanted)
    }
}

extension IndexDefinition.Field {
    /// The field as a lookup, for which both directions are as good.
    fileprivate var asLookup: Self {
        mode == .descending ? Self(path: path, mode: .ascending) : self
    }
}

extension [IndexDefinition.Field] {
    fileprivate func ends(with end: [IndexDefinition.Field]) -> Bool {
        count >= end.count && suffix(end.count).elementsEqual(end)
    }
}
