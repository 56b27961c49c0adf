// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// A change to a field that depends on its stored value or on the server's clock.
package struct FieldTransform: Sendable, Equatable {
    /// How the field changes.
    package enum Operation: Sendable, Equatable {
        /// The commit's time in milliseconds.
        case serverTimestamp
        /// Adds a number; integers saturate.
        case increment(Value)
        case maximum(Value)
        case minimum(Value)
        /// Appends each value the array lacks, where 1 equals 1.0.
        case appendMissingElements([Value])
        /// Removes all values equal to one of these.
        case removeAllFromArray([Value])
    }

    package var fieldPath: FieldPath
    package var operation: Operation

    package init(_ fieldPath: FieldPath, _ operation: Operation) {
        self.fieldPath = fieldPath
        self.operation = operation
    }
}

extension FieldTransform {
    /// Transforms its field and returns the transform's result.
    ///
    /// The request's time is the same for all transforms of a commit.
    func apply(to fields: inout [String: Value], requestTime: Timestamp) -> Value {
        let stored = fields.value(at: fieldPath)
        let transformed = operation.applied(to: stored, requestTime: requestTime)
        fields.set(transformed, at: fieldPath)
        return operation.isOnArray ? .null : transformed
    }
}

extension FieldTransform.Operation {
    fileprivate var isOnArray: Bool {
        switch self {
        case .appendMissingElements, .removeAllFromArray: true
        case .serverTimestamp, .increment, .maximum, .minimum: false
        }
    }

    fileprivate func applied(to stored: Value?, requestTime: Timestamp) -> Value {
        switch self {
        case .serverTimestamp:
            return .timestamp(requestTime)
        case .increment(let operand):
            return NumericTransform.sum(stored, operand: operand)
        case .maximum(let operand):
            return NumericTransform.extremum(stored, operand: operand) { $0 < $1 }
        case .minimum(let operand):
            return NumericTransform.extremum(stored, operand: operand) { $1 < $0 }
        case .appendMissingElements(let elements):
            return .array(ArrayTransform.union(stored, elements: elements))
        case .removeAllFromArray(let elements):
            return .array(ArrayTransform.difference(stored, elements: elements))
        }
    }
}

/// Transforms of numbers.
///
/// A value that is not a number counts as missing, and the operand takes its place.
private enum NumericTransform {
    /// Two integers give an integer, saturating; any double gives a double.
    static func sum(_ stored: Value?, operand: Value) -> Value {
        switch (stored, operand) {
        case (.integer(let left), .integer(let right)): .integer(left.addingSaturating(right))
        case (.integer(let left), .double(let right)): .double(Double(left) + right)
        case (.double(let left), .integer(let right)): .double(left + Double(right))
        case (.double(let left), .double(let right)): .double(left + right)
        default: operand
        }
    }

    /// The stored number unless the operand beats it; NaN beats all.
    static func extremum(
        _ stored: Value?,
        operand: Value,
        isBeaten: (OrderedKey, OrderedKey) -> Bool
    ) -> Value {
        guard let stored, stored.isNumber else { return operand }
        if stored.tag == .notANumber { return stored }
        if operand.tag == .notANumber { return operand }
        return isBeaten(OrderedKey(stored), OrderedKey(operand)) ? operand : stored
    }
}

/// Transforms of arrays, where 1 equals 1.0.
///
/// A value that is not an array counts as an empty one.
private enum ArrayTransform {
    static func union(_ stored: Value?, elements: [Value]) -> [Value] {
        var union = stored?.arrayElements ?? []
        var present = Set(union.map { OrderedKey($0) })
        for element in elements where present.insert(OrderedKey(element)).inserted {
            union.append(element)
        }
        return union
    }

    static func difference(_ stored: Value?, elements: [Value]) -> [Value] {
        let unwanted = Set(elements.map { OrderedKey($0) })
        return (stored?.arrayElements ?? []).filter { !unwanted.contains(OrderedKey($0)) }
    }
}

extension Int64 {
    fileprivate func addingSaturating(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other > 0 ? .max : .min
    }
}
