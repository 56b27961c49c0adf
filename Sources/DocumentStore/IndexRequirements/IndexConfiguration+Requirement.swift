// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
            return !hasSingleFieldIndex(lookup.path, index, in: requirement.collectionGroup)
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
