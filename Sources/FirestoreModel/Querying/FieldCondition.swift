// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A filter on one field, as the keys its value may have.
package struct FieldCondition: Sendable {
    package let path: FieldPath
    /// Whether the field is an array of which one element must have such a key.
    package let isOnElements: Bool
    /// Disjoint and ascending; none when nothing can match.
    package let intervals: [KeyInterval]
    /// Whether each interval is a single value.
    package let arePoints: Bool

    package init(_ path: FieldPath, isOnElements: Bool = false, intervals: [KeyInterval], arePoints: Bool = false) {
        self.path = path
        self.isOnElements = isOnElements
        self.intervals = intervals
        self.arePoints = arePoints
    }

    /// Whether at most one value matches, so that the field orders nothing.
    package var isConstant: Bool { arePoints && intervals.count <= 1 && !isOnElements }

    package func matches(_ value: Value?) -> Bool {
        guard let value else { return false }
        guard isOnElements else { return intervals.contains(OrderedKey(value)) }
        return value.arrayElements?.contains { intervals.contains(OrderedKey($0)) } ?? false
    }

    /// Both conditions as one; they must be on the same field and not on elements.
    package func intersection(_ other: FieldCondition) -> FieldCondition {
        precondition(path == other.path && !isOnElements && !other.isOnElements, "different subjects")
        return FieldCondition(
            path,
            intervals: intervals.intersection(other.intervals),
            arePoints: arePoints || other.arePoints
        )
    }
}

// The values that operators match, measured on the official emulator 1.19.9: null and NaN as operands match nothing,
// whatever the operator; ranges stay within the operand's type; NaN is in no range of numbers.

extension FieldCondition {
    package init(_ path: FieldPath, _ operation: Filter.FieldOperator, _ operand: Value) {
        switch operation {
        case .equal:
            self = .points(path, values: [operand])
        case .in:
            self = .points(path, values: operand.arrayElements ?? [])
        case .arrayContains:
            self = .points(path, values: [operand], isOnElements: true)
        case .arrayContainsAny:
            self = .points(path, values: operand.arrayElements ?? [], isOnElements: true)
        case .notEqual:
            self.init(path, intervals: KeyInterval.excluding([operand]))
        case .notIn:
            self.init(path, intervals: KeyInterval.excluding(operand.arrayElements ?? []))
        case .lessThan:
            self.init(path, comparingWith: operand) { KeyInterval($0.lower, $1) }
        case .lessThanOrEqual:
            self.init(path, comparingWith: operand) { KeyInterval($0.lower, $1.successor) }
        case .greaterThan:
            self.init(path, comparingWith: operand) { KeyInterval($1.successor, $0.upper) }
        case .greaterThanOrEqual:
            self.init(path, comparingWith: operand) { KeyInterval($1, $0.upper) }
        }
    }

    /// The values of the operand's type on one side of it; `side` gets all of that type and the operand's place.
    private init(
        _ path: FieldPath,
        comparingWith operand: Value,
        side: (_ type: KeyInterval, _ key: OrderedKey) -> KeyInterval
    ) {
        guard operand.isComparable else {
            self.init(path, intervals: [])
            return
        }
        self.init(path, intervals: [side(KeyInterval(prefix: OrderedKey(operand.tag)), OrderedKey(operand))])
    }

    package init(_ path: FieldPath, _ operation: Filter.UnaryOperator) {
        let null = OrderedKey(ValueTag.null)
        let notANumber = OrderedKey(ValueTag.notANumber)
        switch operation {
        case .isNull:
            self.init(path, intervals: [KeyInterval(prefix: null)], arePoints: true)
        case .isNaN:
            self.init(path, intervals: [KeyInterval(prefix: notANumber)], arePoints: true)
        case .isNotNull:
            self.init(path, intervals: [KeyInterval(null.successor)])
        case .isNotNaN:
            self.init(
                path,
                intervals: [KeyInterval(null.successor, notANumber), KeyInterval(notANumber.successor)]
            )
        }
    }

    private static func points(_ path: FieldPath, values: [Value], isOnElements: Bool = false) -> Self {
        let keys = Set(values.filter(\.isComparable).map { OrderedKey($0) })
        let intervals = keys.sorted().map { KeyInterval(prefix: $0) }
        return Self(path, isOnElements: isOnElements, intervals: intervals, arePoints: true)
    }
}

extension KeyInterval {
    /// All values but null and these; nothing when null is one of these.
    fileprivate static func excluding(_ values: [Value]) -> [KeyInterval] {
        guard !values.contains(.null) else { return [] }
        var gaps: [KeyInterval] = []
        var lower = OrderedKey(ValueTag.null).successor
        for key in Set(values.filter(\.isComparable).map { OrderedKey($0) }).sorted() {
            gaps.append(KeyInterval(lower, key))
            lower = key.successor
        }
        gaps.append(KeyInterval(lower))
        return gaps
    }
}

extension Value {
    var isComparable: Bool { tag != .null && tag != .notANumber }
}
