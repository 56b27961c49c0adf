// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A condition on documents.
package indirect enum Filter: Sendable, Equatable {
    case and([Filter])
    case or([Filter])
    case field(FieldPath, FieldOperator, Value)
    case unary(FieldPath, UnaryOperator)

    /// Compares a field with a value.
    ///
    /// The raw value is the protocol's name, which the refusals quote.
    package enum FieldOperator: String, Sendable, CaseIterable {
        case lessThan = "LESS_THAN"
        case lessThanOrEqual = "LESS_THAN_OR_EQUAL"
        case greaterThan = "GREATER_THAN"
        case greaterThanOrEqual = "GREATER_THAN_OR_EQUAL"
        case equal = "EQUAL"
        case notEqual = "NOT_EQUAL"
        case arrayContains = "ARRAY_CONTAINS"
        case `in` = "IN"
        case arrayContainsAny = "ARRAY_CONTAINS_ANY"
        case notIn = "NOT_IN"
    }

    /// Asks about a field alone.
    package enum UnaryOperator: String, Sendable, CaseIterable {
        case isNaN = "IS_NAN"
        case isNull = "IS_NULL"
        case isNotNaN = "IS_NOT_NAN"
        case isNotNull = "IS_NOT_NULL"
    }
}
