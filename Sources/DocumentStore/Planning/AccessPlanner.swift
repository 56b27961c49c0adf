// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Chooses the index entries to read: names, then an equality, then a range, else the first order's index.
struct AccessPlanner {
    let scope: QueryScope
    /// See `QueryScope.namePrefix(in:)`.
    let namePrefix: OrderedKey
    let orders: [Query.Ordering]
    let start: CursorPosition?
    let end: CursorPosition?

    func plan(_ predicate: Predicate) -> AccessPath {
        if let access = plan(conditions: predicate.conjuncts) { return access }
        if let access = planUnion(predicate.disjuncts) { return access }
        return planOrder()
    }

    /// The best index for conditions that all must hold; `nil` without any.
    private func plan(conditions: [FieldCondition]) -> AccessPath? {
        guard let best = merged(conditions).min(by: { cost(of: $0) < cost(of: $1) }) else { return nil }
        return access(by: best, orders: varyingOrders(under: conditions))
    }

    /// One index for each disjunction; `nil` when one of them has no condition.
    private func planUnion(_ disjuncts: [[FieldCondition]]) -> AccessPath? {
        let paths = disjuncts.compactMap { plan(conditions: $0) }
        guard paths.count == disjuncts.count else { return nil }
        return AccessPath(
            ranges: paths.flatMap(\.ranges),
            direction: .ascending,
            order: .unrelated,
            repeatsDocuments: true
        )
    }

    /// All of the index of the first order.
    private func planOrder() -> AccessPath {
        access(by: FieldCondition(orders[0].fieldPath, intervals: [KeyInterval()]), orders: orders)
    }

    /// The conditions, with those on one field made one.
    private func merged(_ conditions: [FieldCondition]) -> [FieldCondition] {
        var merged: [FieldCondition] = []
        for condition in conditions {
            let sameField = merged.firstIndex { $0.path == condition.path && !$0.isOnElements }
            if let sameField, !condition.isOnElements {
                merged[sameField] = merged[sameField].intersection(condition)
            } else {
                merged.append(condition)
            }
        }
        return merged
    }

    /// How many entries to expect, roughly; lower is better.
    private func cost(of condition: FieldCondition) -> Int {
        if condition.arePoints {
            return condition.path.isDocumentID ? 0 : condition.intervals.count
        }
        return condition.path == orders[0].fieldPath ? 1_000 : 2_000
    }

    /// The orders less those by fields of which only one value matches.
    private func varyingOrders(under conditions: [FieldCondition]) -> [Query.Ordering] {
        let constants = Set(conditions.filter(\.isConstant).map(\.path))
        return orders.filter { $0.fieldPath.isDocumentID || !constants.contains($0.fieldPath) }
    }
}
