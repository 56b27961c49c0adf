// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension IndexConfiguration {
    /// The index that is missing for a demand; `nil` when what is defined serves it.
    ///
    /// Rules recorded from production (2026-09): equalities and memberships are looked up one by one and intersected;
    /// with orders, every one of them needs an index that goes on with exactly those orders.
    func missingIndex(for demand: IndexDemand) -> MissingIndex? {
        if demand.vector != nil {
            return indexes.contains { serves($0, vectorOf: demand) } ? nil : .vector(demand.perfectIndex)
        }
        let lookups =
            demand.equalities.map { ($0, IndexDefinition.Mode.ascending) }
            + demand.memberships.map { ($0, IndexDefinition.Mode.arrayContains) }
        if demand.orders.isEmpty {
            guard !lookups.isEmpty else { return missingNameIndex(for: demand) }
            return missingSingleField(among: lookups, for: demand)
        }
        if demand.orders.count == 1, lookups.isEmpty, demand.orders[0].mode == demand.nameMode {
            return missingSingleField(among: demand.orders.map { ($0.path, $0.mode) }, for: demand)
        }
        return isMerged(lookups.map { IndexDefinition.Field(path: $0.0, mode: $0.1) }, for: demand)
            ? nil : .composite(demand.perfectIndex, hasSeveralInequalities: demand.hasSeveralInequalities)
    }

    /// By name alone the descending order is no automatic one.
    private func missingNameIndex(for demand: IndexDemand) -> MissingIndex? {
        let isDefined = indexes.contains { isUsable($0, for: demand) && $0.fields == demand.perfectIndex.fields }
        guard demand.nameMode == .descending, !isDefined else { return nil }
        return .composite(demand.perfectIndex, hasSeveralInequalities: false)
    }

    /// A lookup without an index of its own may still be served by a composite one.
    private func missingSingleField(
        among lookups: [(path: FieldPath, mode: IndexDefinition.Mode)],
        for demand: IndexDemand
    ) -> MissingIndex? {
        let missing = lookups.first { lookup in
            let index = FieldOverride.Index(mode: lookup.mode, scope: demand.scope)
            return !hasSingleFieldIndex(lookup.path, index, in: demand.collectionGroup)
        }
        guard let missing else { return nil }
        let wanted = lookups.map { IndexDefinition.Field(path: $0.path, mode: $0.mode) }
        if isMerged(demand.orders.isEmpty ? wanted : [], for: demand) { return nil }
        return .singleField(missing.path, missing.mode, demand.scope, collectionGroup: demand.collectionGroup)
    }

    /// Whether indexes that end in the demand's orders have all its lookups between them.
    private func isMerged(_ lookups: [IndexDefinition.Field], for demand: IndexDemand) -> Bool {
        let end = demand.orders + [IndexDefinition.Field(path: .documentID, mode: demand.nameMode)]
        let prefixes = indexes.filter { isUsable($0, for: demand) && $0.fields.ends(with: end) }
            .map { Set($0.fields.dropLast(end.count).map(\.asLookup)) }
            .filter { $0.isSubset(of: lookups) }
        guard !prefixes.isEmpty else { return false }
        return prefixes.reduce(Set()) { $0.union($1) }.isSuperset(of: lookups)
    }

    /// An index of the group serves single collections too.
    private func isUsable(_ index: IndexDefinition, for demand: IndexDemand) -> Bool {
        index.collectionGroup == demand.collectionGroup
            && (index.scope == demand.scope || index.scope == .collectionGroup)
    }

    private func serves(_ index: IndexDefinition, vectorOf demand: IndexDemand) -> Bool {
        guard isUsable(index, for: demand), index.fields.last == demand.perfectIndex.fields.last else { return false }
        let wanted = demand.perfectIndex.fields.dropLast().filter { !$0.path.isDocumentID }.map(\.asLookup)
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
