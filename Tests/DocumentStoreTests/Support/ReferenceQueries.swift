// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreSamples

/// Answers queries by looking at every document: no index, no keys.
struct ReferenceQueries {
    let database: DatabaseID
    let documents: [Document]

    func run(_ query: Query) -> [Document] {
        let orders = effectiveOrders(query)
        let matching = documents.filter {
            isInScope($0, query) && (query.filter.map { matches($0) } ?? { _ in true })($0)
        }
        .filter { document in orders.allSatisfy { value($0.fieldPath, document) != nil } }
        .sorted { compare($0, $1, orders) < 0 }
        .filter { isWithin(query, $0, orders) }
        let rest = matching.dropFirst(query.offset)
        return query.limit.map { Array(rest.prefix($0)) } ?? Array(rest)
    }

    private func isInScope(_ document: Document, _ query: Query) -> Bool {
        let segments = document.path.segments
        let parent = query.parent?.segments ?? []
        guard segments.count > parent.count, Array(segments.prefix(parent.count)) == parent else { return false }
        guard query.source.allDescendants || segments.count == parent.count + 2 else { return false }
        return query.source.collectionID == nil || query.source.collectionID == document.path.collection.id
    }

    private func value(_ path: FieldPath, _ document: Document) -> Value? {
        guard path != FieldPath.documentID else {
            return .reference(DocumentReference(database: database, path: document.path))
        }
        guard var fields = try? document.fields else { return nil }
        for segment in path.segments.dropLast() {
            guard case .map(let inner)? = fields[segment] else { return nil }
            fields = inner
        }
        return path.segments.last.flatMap { fields[$0] }
    }

    // MARK: Filters

    private func matches(_ filter: Filter) -> (Document) -> Bool {
        { document in
            switch filter {
            case .and(let filters): filters.allSatisfy { matches($0)(document) }
            case .or(let filters): filters.contains { matches($0)(document) }
            case .field(let path, let operation, let operand):
                value(path, document).map { matches($0, operation, operand) } ?? false
            case .unary(let path, let operation):
                value(path, document).map { matches($0, operation) } ?? false
            }
        }
    }

    private func matches(_ value: Value, _ operation: Filter.UnaryOperator) -> Bool {
        switch operation {
        case .isNull: value == .null
        case .isNotNull: value != .null
        case .isNaN: value == .double(.nan)
        case .isNotNaN: value != .null && value != .double(.nan)
        }
    }

    private func matches(_ value: Value, _ operation: Filter.FieldOperator, _ operand: Value) -> Bool {
        let operands: [Value] = if case .array(let elements) = operand { elements } else { [] }
        switch operation {
        case .equal: return areEqual(value, operand)
        case .in: return operands.contains { areEqual(value, $0) }
        case .notEqual: return value != .null && operand != .null && !areEqual(value, operand)
        case .notIn:
            return value != .null && !operands.contains(.null) && !operands.contains { areEqual(value, $0) }
        case .arrayContains: return elements(value).contains { areEqual($0, operand) }
        case .arrayContainsAny:
            return elements(value).contains { element in operands.contains { areEqual(element, $0) } }
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            guard isComparable(value), isComparable(operand), haveSameType(value, operand) else { return false }
            return holds(operation, ReferenceOrder.compare(value, operand))
        }
    }

    private func holds(_ operation: Filter.FieldOperator, _ comparison: Int) -> Bool {
        switch operation {
        case .lessThan: comparison < 0
        case .lessThanOrEqual: comparison <= 0
        case .greaterThan: comparison > 0
        default: comparison >= 0
        }
    }

    private func elements(_ value: Value) -> [Value] {
        guard case .array(let elements) = value else { return [] }
        return elements
    }

    /// Null and NaN equal nothing, as operands; within arrays and maps they equal themselves.
    private func areEqual(_ value: Value, _ operand: Value) -> Bool {
        isComparable(operand) && ReferenceOrder.compare(value, operand) == 0
    }

    private func isComparable(_ value: Value) -> Bool { value != .null && value != .double(.nan) }

    private func haveSameType(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.boolean, .boolean), (.integer, .integer), (.integer, .double), (.double, .integer), (.double, .double),
            (.timestamp, .timestamp), (.string, .string), (.bytes, .bytes), (.reference, .reference),
            (.geoPoint, .geoPoint), (.array, .array), (.vector, .vector), (.map, .map):
            true
        default: false
        }
    }

    // MARK: Order

    private func effectiveOrders(_ query: Query) -> [Query.Ordering] {
        let direction = query.orderBy.last?.direction ?? .ascending
        var orders = query.orderBy
        for path in inequalities(query.filter).sorted() where !orders.contains(where: { $0.fieldPath == path }) {
            orders.append(Query.Ordering(path, direction))
        }
        if !orders.contains(where: { $0.fieldPath == .documentID }) {
            orders.append(Query.Ordering(.documentID, direction))
        }
        return orders
    }

    private func inequalities(_ filter: Filter?) -> Set<FieldPath> {
        switch filter {
        case nil: return []
        case .and(let filters), .or(let filters):
            return filters.reduce(into: []) { $0.formUnion(inequalities($1)) }
        case .field(let path, let operation, _):
            let isEquality = [.equal, .in, .arrayContains, .arrayContainsAny].contains(operation)
            return isEquality || path == .documentID ? [] : [path]
        case .unary(let path, let operation):
            return [.isNotNaN, .isNotNull].contains(operation) ? [path] : []
        }
    }

    private func compare(_ left: Document, _ right: Document, _ orders: [Query.Ordering]) -> Int {
        for order in orders {
            guard let left = value(order.fieldPath, left), let right = value(order.fieldPath, right) else { continue }
            let result = ReferenceOrder.compare(left, right)
            if result != 0 { return order.direction == .ascending ? result : -result }
        }
        return 0
    }

    private func isWithin(_ query: Query, _ document: Document, _ orders: [Query.Ordering]) -> Bool {
        if let start = query.startAt {
            let result = compare(document, to: start, orders)
            guard start.before ? result >= 0 : result > 0 else { return false }
        }
        if let end = query.endAt {
            let result = compare(document, to: end, orders)
            guard end.before ? result < 0 : result <= 0 else { return false }
        }
        return true
    }

    private func compare(_ document: Document, to cursor: Query.Cursor, _ orders: [Query.Ordering]) -> Int {
        for (order, bound) in zip(orders, cursor.values) {
            guard let value = value(order.fieldPath, document) else { continue }
            let result = ReferenceOrder.compare(value, bound)
            if result != 0 { return order.direction == .ascending ? result : -result }
        }
        return 0
    }
}
