// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Lays out the index for conditions that all must hold, and where in it the matching entries are.
struct BranchPlanner {
    let planner: AccessPlanner
    let conditions: Conditions

    /// The name is the last order; its direction is that in which to read.
    var direction: Query.Direction { conditions.orders.last?.direction ?? .ascending }

    var shape: IndexShape {
        IndexShape(scope: IndexShape.Scope(planner.scope), parts: leadingParts + orderedParts)
    }

    /// The parts of which single keys are looked up.
    var leadingParts: [IndexShape.Part] {
        conditions.equalities.map { IndexShape.Part(path: $0.path, mode: .ascending) }
            + (conditions.elements.map { [IndexShape.Part(path: $0.path, mode: .elements)] } ?? [])
    }

    private var orderedParts: [IndexShape.Part] {
        conditions.orders.dropLast().map { order in
            IndexShape.Part(
                path: order.fieldPath,
                mode: directionInIndex(of: order) == .ascending ? .ascending : .descending
            )
        }
    }

    /// Names ascend in every index; the other orders are turned round with them.
    private func directionInIndex(of order: Query.Ordering) -> Query.Direction {
        order.direction == direction ? .ascending : .descending
    }

    /// One for each combination of the keys looked up.
    var runs: [[KeyInterval]] {
        guard conditions.ranges.allSatisfy({ !$0.intervals.isEmpty }) else { return [] }
        var prefixes = [OrderedKey()]
        for condition in conditions.equalities + (conditions.elements.map { [$0] } ?? []) {
            prefixes = prefixes.flatMap { prefix in condition.intervals.map { prefix + $0.lower } }
        }
        let rests = restIntervals
        guard !rests.isEmpty else { return [] }
        return prefixes.map { prefix in
            let run = rests.map { $0.prefixed(by: prefix) }
            return direction == .ascending ? run : run.reversed()
        }
    }

    /// Where, after a prefix, the matching keys are; ascending.
    private var restIntervals: [KeyInterval] {
        let cursors = cursorInterval
        return firstOrderIntervals.map { $0.intersection(cursors) }.filter { !$0.isEmpty }
    }

    private var firstOrderIntervals: [KeyInterval] {
        guard conditions.orders.count > 1 else { return nameIntervals }
        return intervals(of: conditions.orders[0])
    }

    /// The intervals of a part of the orders, as its keys are in the index; ascending.
    private func intervals(of order: Query.Ordering) -> [KeyInterval] {
        guard let range = conditions.range(on: order.fieldPath) else { return [KeyInterval()] }
        let direction = directionInIndex(of: order)
        let intervals = range.intervals.map { $0.inOrder(direction) }
        return direction == .ascending ? intervals : intervals.reversed()
    }

    private var nameIntervals: [KeyInterval] {
        let names = planner.scope.names
        guard let range = conditions.range(on: .documentID) else { return [names] }
        return range.intervals
            .map { $0.droppingPrefix(planner.namePrefix).intersection(names) }
            .filter { !$0.isEmpty }
    }

    /// Conditions on parts after the first of the orders.
    var checks: [AccessPath.Check] {
        guard conditions.orders.count > 1 else { return [] }
        var checks: [AccessPath.Check] = []
        for (index, order) in conditions.orders.enumerated().dropFirst() {
            let isName = index == conditions.orders.count - 1
            let intervals = isName ? nameIntervals : intervals(of: order)
            if intervals != [KeyInterval()] {
                checks.append(AccessPath.Check(part: leadingParts.count + index, intervals: intervals))
            }
        }
        return checks
    }
}

extension BranchPlanner {
    /// Where, after a prefix, the keys between the cursors are.
    var cursorInterval: KeyInterval {
        var interval = KeyInterval()
        if let start = planner.start {
            let edge = edge(at: start)
            narrow(&interval, at: edge.key, keepsAfter: true, keepsPrefix: edge.isBefore)
        }
        if let end = planner.end {
            let edge = edge(at: end)
            narrow(&interval, at: edge.key, keepsAfter: false, keepsPrefix: !edge.isBefore)
        }
        return interval
    }

    /// Drops what is on one side of the keys that begin with a prefix, and perhaps those too.
    private func narrow(_ interval: inout KeyInterval, at prefix: OrderedKey, keepsAfter: Bool, keepsPrefix: Bool) {
        // Later entries in descending order are below.
        let keepsAbove = keepsAfter == (direction == .ascending)
        let edge = keepsAbove == keepsPrefix ? prefix : prefix.successor
        interval = interval.intersection(keepsAbove ? KeyInterval(edge) : KeyInterval(OrderedKey(), edge))
    }

    /// A cursor's place among the keys after a prefix: before or after all that begin with a key.
    private func edge(at cursor: CursorPosition) -> (key: OrderedKey, isBefore: Bool) {
        var key = OrderedKey()
        for (component, order) in zip(cursor.components, planner.orders) {
            if let constant = conditions.constants[order.fieldPath] {
                // Equal in all documents: it decides, or the next component does.
                guard component == constant else {
                    return (key, (component < constant) == (order.direction == .ascending))
                }
            } else if order.fieldPath.isDocumentID {
                guard let name = name(of: component) else {
                    return (key, (component < planner.namePrefix) == (order.direction == .ascending))
                }
                key = key + name
            } else {
                key = key + component.inOrder(order.direction == direction ? .ascending : .descending)
            }
        }
        return (key, cursor.isBefore)
    }

    /// A reference as a name in the scope; `nil` for a document outside of it.
    private func name(of reference: OrderedKey) -> OrderedKey? {
        guard reference.hasPrefix(planner.namePrefix) else { return nil }
        return OrderedKey(Array(reference.bytes.dropFirst(planner.namePrefix.bytes.count)))
    }
}
