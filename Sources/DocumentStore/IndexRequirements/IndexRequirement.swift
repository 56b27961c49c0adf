// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The index that a query needs, for one of its disjunctions.
struct IndexRequirement {
    let collectionGroup: String
    let scope: IndexDefinition.Scope
    /// Fields with one value, or with one value among several; ascending by path.
    let equalities: [FieldPath]
    /// Arrays of which one element is known; ascending by path.
    let memberships: [FieldPath]
    /// The orders of the result, without the name.
    let orders: [IndexDefinition.Field]
    let nameMode: IndexDefinition.Mode
    /// The vector searched by, and its length.
    let vector: (path: FieldPath, dimension: Int)?
    let hasSeveralInequalities: Bool

    /// The index that serves this requirement alone.
    var perfectIndex: IndexDefinition {
        var fields =
            (equalities.map { ($0, IndexDefinition.Mode.ascending) }
            + memberships.map { ($0, IndexDefinition.Mode.arrayContains) })
            .sorted { $0.0 < $1.0 }
            .map { IndexDefinition.Field(path: $0.0, mode: $0.1) }
        fields += orders
        fields.append(IndexDefinition.Field(path: .documentID, mode: nameMode))
        if let vector {
            fields.append(IndexDefinition.Field(path: vector.path, mode: .vector(dimension: vector.dimension)))
        }
        return IndexDefinition(collectionGroup: collectionGroup, scope: scope, fields: fields)
    }
}

extension IndexRequirement {
    /// The needed indexes, disjunction by disjunction; none for one across collections of any id.
    ///
    /// The fields of sums and averages have to be in the index like those of orders.
    static func requirements(
        of query: Query,
        aggregating aggregated: [FieldPath] = [],
        nearest: NearestSearch? = nil
    ) -> [IndexRequirement] {
        guard let group = query.source.collectionID else { return [] }
        let disjuncts = query.filter.map { Predicate($0).disjuncts } ?? [[]]
        return disjuncts.map { conditions in
            IndexRequirement(
                query,
                group: group,
                conditions: conditions.filter { !$0.path.isDocumentID },
                aggregated: aggregated,
                nearest: nearest
            )
        }
    }

    private init(
        _ query: Query,
        group: String,
        conditions: [FieldCondition],
        aggregated: [FieldPath],
        nearest: NearestSearch?
    ) {
        let points = conditions.filter { $0.arePoints && !$0.isOnElements }.map(\.path)
        let ranges = Set(conditions.filter { !$0.arePoints && !$0.isOnElements }.map(\.path))
        let equalities = Set(points).subtracting(ranges)
        var orders = query.effectiveOrders.filter { !$0.fieldPath.isDocumentID && !equalities.contains($0.fieldPath) }
        let direction = query.effectiveOrders.last?.direction ?? .ascending
        let ordered = equalities.union(orders.map(\.fieldPath))
        for path in Set(aggregated).subtracting(ordered).sorted() {
            orders.append(Query.Ordering(path, direction))
        }
        self.collectionGroup = group
        self.scope = query.source.allDescendants ? .collectionGroup : .collection
        self.equalities = equalities.sorted()
        self.memberships = Set(conditions.filter(\.isOnElements).map(\.path)).sorted()
        self.orders = orders.map { IndexDefinition.Field(path: $0.fieldPath, mode: .init($0.direction)) }
        self.nameMode = IndexDefinition.Mode(direction)
        self.vector = nearest.map { ($0.field, $0.vector.count) }
        self.hasSeveralInequalities = ranges.count > 1
    }
}
