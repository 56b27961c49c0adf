// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// The explicit orders, then the fields of inequalities by path, then the name in the last direction.
    ///
    /// Source: facts, §4 (2026-11).
    var effectiveOrders: [Ordering] {
        let direction = orderBy.last?.direction ?? .ascending
        var orders = orderBy
        for path in Set(filter?.inequalityPaths ?? []).sorted() where !path.isDocumentID {
            if !orders.contains(where: { $0.fieldPath == path }) {
                orders.append(Ordering(path, direction))
            }
        }
        if !orders.contains(where: \.fieldPath.isDocumentID) {
            orders.append(Ordering(.documentID, direction))
        }
        return orders
    }
}

extension Filter {
    fileprivate var inequalityPaths: [FieldPath] {
        switch self {
        case .and(let filters), .or(let filters): filters.flatMap(\.inequalityPaths)
        case .field(let path, let operation, _): operation.isInequality ? [path] : []
        case .unary(let path, let operation): operation.isNegation ? [path] : []
        }
    }
}

extension Filter.FieldOperator {
    fileprivate var isInequality: Bool {
        switch self {
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual, .notIn: true
        case .equal, .arrayContains, .in, .arrayContainsAny: false
        }
    }
}

extension Filter.UnaryOperator {
    var isNegation: Bool {
        switch self {
        case .isNotNaN, .isNotNull: true
        case .isNaN, .isNull: false
        }
    }
}
