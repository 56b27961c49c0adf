// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Finds the index that fits a query: equalities first, then the orders.
struct AccessPlanner {
    let scope: QueryScope
    /// See `QueryScope.namePrefix(in:)`.
    let namePrefix: OrderedKey
    let orders: [Query.Ordering]
    let start: CursorPosition?
    let end: CursorPosition?

    func plan(_ predicate: Predicate) -> AccessPath {
        AccessPath(branches: predicate.disjuncts.map { branch(for: $0) })
    }

    private func branch(for conditions: [FieldCondition]) -> AccessPath.Branch {
        let all = Conditions(conditions, orders: orders)
        let path = BranchPlanner(planner: self, conditions: all)
        return AccessPath.Branch(
            shape: path.shape,
            leadingPartCount: path.leadingParts.count,
            runs: path.runs,
            direction: path.direction,
            checks: path.checks,
            isComplete: all.others.isEmpty && isWholeIndex
        )
    }

    /// Whether the scope is all of its index, or a range of names in it.
    private var isWholeIndex: Bool {
        if case .everything(_, isDeep: false) = scope { return false }
        return true
    }
}

/// Conditions that all must hold, by what they do for an index.
struct Conditions {
    /// On fields outside of the orders; each a list of values.
    private(set) var equalities: [FieldCondition] = []
    /// On the elements of one array field.
    private(set) var elements: FieldCondition?
    /// On other fields' values and on the name.
    private(set) var ranges: [FieldCondition] = []
    /// The conditions without an index: further conditions on elements.
    private(set) var others: [FieldCondition] = []
    /// The orders less those by fields of which only one value matches.
    let orders: [Query.Ordering]
    /// The only key that a field of the query's orders may have.
    let constants: [FieldPath: OrderedKey]

    init(_ conditions: [FieldCondition], orders: [Query.Ordering]) {
        let merged = Self.merged(conditions.filter { !$0.isOnElements })
        let constants = merged.filter { $0.isConstant && !$0.path.isDocumentID }
        let constantPaths = Set(constants.map(\.path))
        let varying = orders.filter { !constantPaths.contains($0.fieldPath) }
        self.orders = varying
        self.constants = Dictionary(
            uniqueKeysWithValues: constants.map { ($0.path, $0.intervals.first?.lower ?? OrderedKey()) }
        )
        for condition in merged {
            let isOrdered = varying.contains { $0.fieldPath == condition.path }
            if condition.arePoints, !isOrdered, !condition.path.isDocumentID {
                equalities.append(condition)
            } else {
                ranges.append(condition)
            }
        }
        // One sequence for all queries by the same fields.
        equalities.sort { $0.path < $1.path }
        for condition in conditions where condition.isOnElements {
            if elements == nil { elements = condition } else { others.append(condition) }
        }
    }

    /// The conditions, with those on one field made one.
    private static func merged(_ conditions: [FieldCondition]) -> [FieldCondition] {
        var merged: [FieldCondition] = []
        for condition in conditions {
            if let index = merged.firstIndex(where: { $0.path == condition.path }) {
                merged[index] = merged[index].intersection(condition)
            } else {
                merged.append(condition)
            }
        }
        return merged
    }

    func range(on path: FieldPath) -> FieldCondition? {
        ranges.first { $0.path == path }
    }
}
