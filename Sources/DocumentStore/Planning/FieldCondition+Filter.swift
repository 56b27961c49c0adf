// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// What the operators match, measured on the official emulator 1.19.9: null and NaN as operands match nothing,
// whatever the operator; ranges stay within the operand's type; NaN is in no range of numbers.

extension FieldCondition {
    init(_ path: FieldPath, _ operation: Filter.FieldOperator, _ operand: Value) {
        switch operation {
        case .equal:
            self = .points(path, [operand])
        case .in:
            self = .points(path, operand.arrayElements ?? [])
        case .arrayContains:
            self = .points(path, [operand], isOnElements: true)
        case .arrayContainsAny:
            self = .points(path, operand.arrayElements ?? [], isOnElements: true)
        case .notEqual:
            self.init(path, intervals: KeyInterval.excluding([operand]))
        case .notIn:
            self.init(path, intervals: KeyInterval.excluding(operand.arrayElements ?? []))
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            self.init(path, intervals: operand.isComparable ? [KeyInterval(operation, operand)] : [])
        }
    }

    init(_ path: FieldPath, _ operation: Filter.UnaryOperator) {
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

    private static func points(_ path: FieldPath, _ values: [Value], isOnElements: Bool = false) -> Self {
        let keys = Set(values.filter(\.isComparable).map { OrderedKey($0) })
        let intervals = keys.sorted().map { KeyInterval(prefix: $0) }
        return Self(path, isOnElements: isOnElements, intervals: intervals, arePoints: true)
    }
}

extension KeyInterval {
    /// The values of the operand's type on one side of it.
    fileprivate init(_ operation: Filter.FieldOperator, _ operand: Value) {
        let key = OrderedKey(operand)
        let type = KeyInterval(prefix: OrderedKey(operand.tag))
        switch operation {
        case .lessThan: self.init(type.lower, key)
        case .lessThanOrEqual: self.init(type.lower, key.successor)
        case .greaterThan: self.init(key.successor, type.upper)
        case .greaterThanOrEqual: self.init(key, type.upper)
        default: preconditionFailure("\(operation) is no range")
        }
    }

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
