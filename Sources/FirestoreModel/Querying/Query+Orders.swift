// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// The explicit orders, then the fields of inequalities and those of sums and averages, each by path, then the name
    /// in the last direction.
    ///
    /// Source: answers of the official emulator 1.19.9, recorded in 2026-11.
    package var effectiveOrders: [Ordering] {
        let direction = orderBy.last?.direction ?? .ascending
        var orders = orderBy
        for path in Set(filter?.inequalityPaths ?? []).sorted() + Set(furtherOrders).sorted() where !path.isDocumentID {
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
    /// The fields of inequalities, as often as they occur.
    package var inequalityPaths: [FieldPath] {
        switch self {
        case .and(let filters), .or(let filters): filters.flatMap(\.inequalityPaths)
        case .field(let path, let operation, let operand): operation.isInequality(with: operand) ? [path] : []
        case .unary(let path, let operation): operation.isNegation ? [path] : []
        }
    }
}
