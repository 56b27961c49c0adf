// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension AccessPlanner {
    /// Reads the index of a condition's field where the condition holds.
    ///
    /// The orders are those that distinguish documents under all conditions of the query.
    func access(by condition: FieldCondition, orders: [Query.Ordering]) -> AccessPath {
        let order = order(by: condition, orders: orders)
        let direction = order == .unrelated ? .ascending : orders[0].direction
        var access = AccessPath(
            ranges: ranges(of: condition),
            direction: direction,
            order: order,
            repeatsDocuments: condition.isOnElements && condition.intervals.count > 1
        )
        if direction == .descending {
            access.ranges.reverse()
        }
        if order != .unrelated, orders == self.orders {
            narrow(&access, condition)
        }
        return access
    }

    private func order(by condition: FieldCondition, orders: [Query.Ordering]) -> AccessPath.Order {
        let isByName = orders[0].fieldPath.isDocumentID
        if condition.path.isDocumentID {
            return isByName ? .exact : .unrelated
        }
        if condition.arePoints, condition.intervals.count <= 1 {
            return isByName ? .exact : .unrelated
        }
        guard orders[0].fieldPath == condition.path, !condition.isOnElements else { return .unrelated }
        let isThenByName = orders[1].fieldPath.isDocumentID && orders[1].direction == orders[0].direction
        return isThenByName ? .exact : .byRuns(condition.path)
    }

    private func ranges(of condition: FieldCondition) -> [AccessPath.Range] {
        if condition.path.isDocumentID {
            return condition.intervals
                .map { $0.droppingPrefix(namePrefix).intersection(scope.names) }
                .filter { !$0.isEmpty }
                .map { AccessPath.Range(field: .name, interval: $0) }
        }
        let field = condition.isOnElements ? IndexField.elements(condition.path) : .values(condition.path)
        // Intervals that end and begin within the same long value overlap once it is cut off.
        return condition.intervals.map { IndexKey.interval(of: $0) }.withoutOverlaps
            .map { AccessPath.Range(field: field, interval: $0) }
    }
}
