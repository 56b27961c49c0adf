// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The knowledge that a query's filters give of a field of the documents it finds: all of its parts hold.
///
/// A rule is proved by one part alone; what no part proves is unknown, never false. (Official emulator 1.19.9, 2026-11.)
package struct Constraint: Sendable {
    package enum Comparator: Sendable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        /// The field is a list that contains the value.
        case listContains
    }

    /// A comparison of the field with a value; an order of values that have none, and a float beside an integer, prove nothing.
    package struct Part: Sendable {
        let comparator: Comparator
        let value: RulesValue

        /// Creates a comparison.
        package init(_ comparator: Comparator, _ value: RulesValue) {
            (self.comparator, self.value) = (comparator, value)
        }

        /// Whether another says the same.
        package func isSame(as other: Part) -> Bool {
            comparator == other.comparator
                && (value.isSame(as: other.value, by: .inner) || (value.isNaN && other.value.isNaN))
        }
    }

    let parts: [Part]

    /// Creates what holds for a field; equal parts count once.
    package init(_ parts: [Part]) {
        self.parts = parts.reduce(into: []) { unique, part in
            if !unique.contains(where: { part.isSame(as: $0) }) { unique.append(part) }
        }
    }

    /// The value that the field has, where that is known.
    package var onlyValue: RulesValue? {
        guard parts.count == 1, parts[0].comparator == .equal else { return nil }
        return parts[0].value
    }

    /// The value of `constraint operation value`.
    func proves(_ operation: BinaryOperator, _ value: RulesValue) -> RulesValue {
        parts.contains { $0.proves(operation, value) } ? .boolean(true) : .failure(.unproven)
    }

    func proves(contains value: RulesValue) -> Bool {
        parts.contains { $0.comparator == .listContains && $0.value.isSame(as: value, by: .equality) }
    }

    func call(_ method: Method, _ arguments: [RulesValue]) -> RulesValue? {
        guard method == .hasAny, arguments.count == 1, case .list(let wanted) = arguments[0] else { return nil }
        return .boolean(wanted.contains { proves(contains: $0) })
    }
}

extension Constraint.Part {
    fileprivate func proves(_ operation: BinaryOperator, _ other: RulesValue) -> Bool {
        guard value.hasOrder || !comparator.isOrder, !value.isFloat || !other.isInteger || comparator == .equal else {
            return false
        }
        if case .null = other, operation == .notEqual { return !isOfNull || comparator != .equal }
        guard comparator != .listContains, let order = value.order(to: other) else { return false }
        switch (comparator, operation) {
        case (.equal, _): return order.satisfies(operation)
        case (.notEqual, .notEqual): return order == .same
        case (.greater, .greater), (.greater, .greaterOrEqual), (.greater, .notEqual): return order != .before
        case (.greaterOrEqual, .greaterOrEqual): return order != .before
        case (.greaterOrEqual, .greater), (.greaterOrEqual, .notEqual): return order == .after
        case (.less, .less), (.less, .lessOrEqual), (.less, .notEqual): return order != .after
        case (.lessOrEqual, .lessOrEqual): return order != .after
        case (.lessOrEqual, .less), (.lessOrEqual, .notEqual): return order == .before
        default: return false
        }
    }

    private var isOfNull: Bool {
        if case .null = value { true } else { false }
    }
}

extension Constraint.Comparator {
    fileprivate var isOrder: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual: true
        case .equal, .notEqual, .listContains: false
        }
    }
}

/// How a value stands to another of its kind.
private enum ValueOrder {
    case before, same, after
    /// They differ, and have no order.
    case apart

    func satisfies(_ operation: BinaryOperator) -> Bool {
        switch operation {
        case .equal: self == .same
        case .notEqual: self != .same
        case .less: self == .before
        case .lessOrEqual: self == .before || self == .same
        case .greater: self == .after
        case .greaterOrEqual: self == .after || self == .same
        default: false
        }
    }
}

extension RulesValue {
    /// `nil` for values of different kinds.
    fileprivate func order(to other: RulesValue) -> ValueOrder? {
        guard typeName == other.typeName || (number != nil && other.number != nil) else { return nil }
        if isSame(as: other, by: .equality) { return .same }
        switch combined(with: other, by: .less) {
        case .boolean(true): return .before
        case .boolean(false): return .after
        default: return .apart
        }
    }

    /// `self operation other`, of which one is a constraint.
    func proved(with other: RulesValue, by operation: BinaryOperator) -> RulesValue {
        let types = operation.isEquality ? Self.equalityTypes : Self.orderTypes
        let value = isConstraint ? other : self
        guard types.contains(value.typeName) else {
            return .failure(.type(received: value.typeName, expected: types.joined(separator: ",")))
        }
        switch (self, other) {
        case (.constraint(let constraint), _): return constraint.proves(operation, other)
        case (_, .constraint(let constraint)): return constraint.proves(operation.mirrored, self)
        default: return .failure(.unproven)
        }
    }

    /// The types that constraints are compared with, in the order in which failures list them.
    private static let equalityTypes = [
        "bool", "duration", "float", "int", "latlng", "map", "null", "string", "bytes", "timestamp", "path", "list",
        "vector",
        "set",
    ]
    private static let orderTypes = ["timestamp", "duration", "float", "int", "string", "bytes"]

    fileprivate var hasOrder: Bool { Self.orderTypes.contains(typeName) }

    fileprivate var isFloat: Bool {
        if case .float = self { true } else { false }
    }

    fileprivate var isInteger: Bool {
        if case .integer = self { true } else { false }
    }

    package var isNaN: Bool {
        if case .float(let number) = self { number.isNaN } else { false }
    }

    var isConstraint: Bool {
        if case .constraint = self { true } else { false }
    }
}

extension BinaryOperator {
    fileprivate var isEquality: Bool { self == .equal || self == .notEqual }

    /// The operator that means the same with its operands exchanged.
    fileprivate var mirrored: BinaryOperator {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: self
        }
    }
}
