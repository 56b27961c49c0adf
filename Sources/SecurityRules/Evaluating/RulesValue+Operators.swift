// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension RulesValue {
    /// The value that `next` makes of it, unless it is a failure.
    func withoutFailure(_ next: (RulesValue) -> RulesValue) -> RulesValue { isFailure ? self : next(self) }

    /// Itself where it is a boolean or a failure, else a failure.
    var asBoolean: RulesValue {
        switch self {
        case .boolean, .failure: self
        default: .failure(.type(received: typeName, expected: "bool"))
        }
    }

    var opposite: RulesValue {
        switch self {
        case .boolean(let isTrue): .boolean(!isTrue)
        case .failure: self
        default: .failure(.unsupported(received: "!\(typeName)", expected: "!bool"))
        }
    }

    var negated: RulesValue {
        switch self {
        case .integer(let number): number == .min ? .overflow : .integer(-number)
        case .float(let number): .float(-number)
        case .duration(let span): RulesValue(nanoseconds: -span.totalNanoseconds)
        case .failure: self
        default: .failure(.unsupported(received: "-\(typeName)", expected: "-int, -float, -duration"))
        }
    }

    static let overflow = RulesValue.failure(
        .other("Integer value is out of the [\(Int64.min), \(Int64.max)] range.")
    )

    /// A duration, if it is not too long for one.
    init(nanoseconds: Int128) {
        self =
            RulesDuration(totalNanoseconds: nanoseconds).map(RulesValue.duration)
            ?? .failure(.other(Self.durationRange))
    }

    static let durationRange = """
        Duration is not valid. Seconds must be in range [-315,576,000,000, +315,576,000,000]. Nanos must be in range \
        [-999,999,999, +999,999,999]. Nanos must have the same sign as seconds.
        """

    /// The value of `self operation right`; notes where a query's filters leave open what that takes for certain.
    func combined(
        with right: RulesValue,
        by operation: BinaryOperator,
        takingForGranted: inout Bool
    ) -> RulesValue {
        if operation == .isIn {
            let isIn = isIn(right)
            if case .boolean(false) = isIn, isConstraint || right.isPartial { takingForGranted = true }
            return isIn
        }
        if isFailure { return self }
        if right.isFailure { return right }
        return combined(with: right, by: operation)
    }

    /// The value of `self is type`; notes where a query's filters leave open what that takes for certain.
    func checked(_ type: TypeName, takingForGranted: inout Bool) -> RulesValue {
        if isConstraint { takingForGranted = true }
        return withoutFailure { .boolean($0.isOf(type)) }
    }

    /// The value of `self operation right`, of which neither is a failure.
    func combined(with right: RulesValue, by operation: BinaryOperator) -> RulesValue {
        switch operation {
        case _ where operation.isComparison && (isConstraint || right.isConstraint):
            proved(with: right, by: operation)
        case .equal: .boolean(isSame(as: right, by: .equality))
        case .notEqual: .boolean(!isSame(as: right, by: .equality))
        case .less, .lessOrEqual, .greater, .greaterOrEqual: compared(with: right, by: operation)
        case .add: sum(with: right)
        case .subtract: difference(to: right)
        case .multiply, .divide, .remainder: product(with: right, by: operation)
        case .and, .or, .isIn: preconditionFailure("\(operation.rawValue) takes failures, too")
        }
    }

    fileprivate func unsupported(_ operation: BinaryOperator, _ right: RulesValue) -> RulesValue {
        let expected = operation.forms.map { "\($0.0) \(operation.rawValue) \($0.1)" }.joined(separator: ", ")
        return .failure(
            .unsupported(received: "\(typeName) \(operation.rawValue) \(right.typeName)", expected: expected)
        )
    }

    // MARK: Order

    private func compared(with right: RulesValue, by operation: BinaryOperator) -> RulesValue {
        switch (self, right) {
        case (.integer(let left), .integer(let right)): Self.compare(left, right, operation)
        case (.float(let left), .float(let right)): Self.compare(left, right, operation)
        case (.integer(let left), .float(let right)): Self.compare(Double(left), right, operation)
        case (.float(let left), .integer(let right)): Self.compare(left, Double(right), operation)
        case (.string(let left), .string(let right)): Self.compare(UTF16Order(left), UTF16Order(right), operation)
        case (.bytes(let left), .bytes(let right)): Self.compare(BytesOrder(left), BytesOrder(right), operation)
        case (.timestamp(let left), .timestamp(let right)): Self.compare(left, right, operation)
        case (.duration(let left), .duration(let right)):
            Self.compare(left.totalNanoseconds, right.totalNanoseconds, operation)
        default: unsupported(operation, right)
        }
    }

    private static func compare<Item: Comparable>(
        _ left: Item,
        _ right: Item,
        _ operation: BinaryOperator
    ) -> RulesValue {
        .boolean(operation.compares(left, right))
    }

    // MARK: Membership

    /// Whether it is in a container; either may be a failure, and the container's goes before.
    func isIn(_ container: RulesValue) -> RulesValue {
        switch (self, container) {
        case (_, .failure): container
        case (.failure, .list), (.failure, .set), (.failure, .map): self
        case (_, .list(let elements)): .boolean(elements.contains(self, by: .membership))
        case (_, .set(let set)): .boolean(set.contains(self))
        case (.string(let key), .map(let map)): .boolean(map[key] != nil)
        case (_, .map): .failure(.unsupported(received: "map.in(\(typeName))", expected: "map.in(string)"))
        case (.failure, .constraint): self
        case (_, .constraint(let constraint)):
            constraint.proves(contains: self) ? .boolean(true) : .failure(.unproven)
        case (_, .null): .failure(.nullValue)
        default: .failure(.functionNotFound("in"))
        }
    }

    // MARK: Arithmetic

    private func sum(with right: RulesValue) -> RulesValue {
        switch (self, right) {
        case (.integer(let left), .integer(let right)): Self.integer(left.addingReportingOverflow(right))
        case (.string(let left), .string(let right)): .string(left + right)
        case (.duration(let left), .duration(let right)):
            RulesValue(nanoseconds: left.totalNanoseconds + right.totalNanoseconds)
        case (.timestamp(let time), .duration(let span)), (.duration(let span), .timestamp(let time)):
            RulesValue(timeNanoseconds: time.totalNanoseconds + span.totalNanoseconds)
        default: number(with: right, by: .add)
        }
    }

    private func difference(to right: RulesValue) -> RulesValue {
        switch (self, right) {
        case (.integer(let left), .integer(let right)): Self.integer(left.subtractingReportingOverflow(right))
        case (.duration(let left), .duration(let right)):
            RulesValue(nanoseconds: left.totalNanoseconds - right.totalNanoseconds)
        case (.timestamp(let time), .duration(let span)):
            RulesValue(timeNanoseconds: time.totalNanoseconds - span.totalNanoseconds)
        case (.timestamp(let left), .timestamp(let right)):
            RulesValue(nanoseconds: left.totalNanoseconds - right.totalNanoseconds)
        default: number(with: right, by: .subtract)
        }
    }

    private func product(with right: RulesValue, by operation: BinaryOperator) -> RulesValue {
        guard case (.integer(let left), .integer(let divisor)) = (self, right) else {
            return number(with: right, by: operation)
        }
        if operation == .multiply { return Self.integer(left.multipliedReportingOverflow(by: divisor)) }
        if divisor == 0 { return .failure(.divisionByZero) }
        let (quotient, _) = left.dividedReportingOverflow(by: divisor)
        return .integer(operation == .divide ? quotient : left &- quotient &* divisor)
    }

    private static func integer(_ result: (partialValue: Int64, overflow: Bool)) -> RulesValue {
        result.overflow ? overflow : .integer(result.partialValue)
    }

    /// For two numbers of which one is a float.
    private func number(with right: RulesValue, by operation: BinaryOperator) -> RulesValue {
        guard let left = number, let other = right.number else { return unsupported(operation, right) }
        switch operation {
        case .add: return .float(left + other)
        case .subtract: return .float(left - other)
        case .multiply: return .float(left * other)
        case .divide: return .float(left / other)
        default: return .float(left.truncatingRemainder(dividingBy: other))
        }
    }

    /// An integer or a float as a float.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .float(let number): number
        default: nil
        }
    }

    /// A timestamp, if it is not outside the years 1 to 9999.
    init(timeNanoseconds: Int128) {
        let (quotient, remainder) = timeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let isBorrowing = remainder < 0
        let time = Timestamp(
            seconds: Int64(clamping: isBorrowing ? quotient - 1 : quotient),
            nanoseconds: Int32(isBorrowing ? remainder + 1_000_000_000 : remainder)
        )
        self = time.isValid ? .timestamp(time) : .failure(.other(Self.timestampRange))
    }

    static let timestampRange = """
        Timestamp is not valid. Seconds must be in range [-62,135,596,800, +253,402,300,799]. Nanos must be in range \
        [0, +999,999,999].
        """
}

extension Timestamp {
    var totalNanoseconds: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanoseconds) }
}

extension BinaryOperator {
    /// Whether an order holds between two values.
    func compares<Item: Comparable>(_ left: Item, _ right: Item) -> Bool {
        switch self {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        default: left >= right
        }
    }

    fileprivate var isComparison: Bool {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: true
        default: false
        }
    }

    /// The pairs of types that it takes, as failures list them.
    var forms: [(String, String)] {
        switch self {
        case .add:
            ["int", "float", "string", "duration"].map { ($0, $0) } + [
                ("duration", "timestamp"), ("timestamp", "duration"),
            ]
        case .subtract:
            ["int", "float", "duration"].map { ($0, $0) } + [("timestamp", "duration"), ("timestamp", "timestamp")]
        case .multiply, .divide, .remainder: [("int", "int"), ("float", "float")]
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            ["string", "bytes", "int", "float", "duration", "timestamp"].map { ($0, $0) }
                + [("constraint", "any"), ("any", "constraint")]
        case .or, .and, .isIn, .equal, .notEqual: []
        }
    }
}

/// Texts in the order of their UTF-16 code units, as Java compares them.
private struct UTF16Order: Comparable {
    let text: String

    init(_ text: String) { self.text = text }

    static func < (left: Self, right: Self) -> Bool { left.text.utf16.lexicographicallyPrecedes(right.text.utf16) }
}

/// Bytes in the order of their values.
private struct BytesOrder: Comparable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}
