// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A condition on one field of a document.
public struct FeedFilter: Sendable, Hashable {
    /// How a field's value is compared with the filter's.
    public enum Comparison: String, Sendable, Hashable, CaseIterable {
        /// The values are equal.
        case equal = "EQUAL"
        /// The field is there, and its value another.
        case notEqual = "NOT_EQUAL"
        /// The field's value is less.
        case lessThan = "LESS_THAN"
        /// The field's value is less, or equal.
        case lessThanOrEqual = "LESS_THAN_OR_EQUAL"
        /// The field's value is greater.
        case greaterThan = "GREATER_THAN"
        /// The field's value is greater, or equal.
        case greaterThanOrEqual = "GREATER_THAN_OR_EQUAL"
        /// The field is an array that has the value.
        case arrayContains = "ARRAY_CONTAINS"
        /// The field is an array that has one of the values.
        case arrayContainsAny = "ARRAY_CONTAINS_ANY"
        /// The field's value is one of the values.
        case isIn = "IN"
    }

    /// A value that a field can have.
    public indirect enum Value: Sendable, Hashable {
        /// Text.
        case string(String)
        /// A whole number.
        case integer(Int64)
        /// A number.
        case double(Double)
        /// True or false.
        case boolean(Bool)
        /// A moment, to the microsecond.
        case timestamp(Date)
        /// Several values, for the comparisons that take such.
        case array([Value])
    }

    /// The field's path, as in `stats.likes`.
    public var field: String
    /// How values are compared.
    public var comparison: Comparison
    /// The value.
    public var value: Value

    /// Creates a filter.
    public init(_ field: String, _ comparison: Comparison, _ value: Value) {
        self.field = field
        self.comparison = comparison
        self.value = value
    }

    /// Creates a filter for equal values.
    public init(field: String, equals value: Value) { self.init(field, .equal, value) }
}
