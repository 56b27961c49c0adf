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

extension Filter {
    /// The conditions on single fields, from left to right.
    var leaves: [Filter] {
        switch self {
        case .and(let filters), .or(let filters): filters.flatMap(\.leaves)
        case .field, .unary: [self]
        }
    }

    var hasDisjunction: Bool {
        switch self {
        case .or: true
        case .and(let filters): filters.contains(where: \.hasDisjunction)
        case .field, .unary: false
        }
    }

    /// The first field that is not the name.
    var firstField: FieldPath? {
        switch self {
        case .and(let filters), .or(let filters): filters.lazy.compactMap(\.firstField).first
        case .field(let path, _, _), .unary(let path, _): path.isDocumentID ? nil : path
        }
    }

    // Properties of leaves.

    var isNegation: Bool {
        switch self {
        case .field(_, let operation, _): operation.isNegation
        case .unary(_, let operation): operation.isNegation
        case .and, .or: false
        }
    }

    /// The operator of a comparison with a value.
    var fieldOperator: FieldOperator? {
        switch self {
        case .field(_, let operation, _): operation
        case .and, .or, .unary: nil
        }
    }

    var isOnName: Bool {
        switch self {
        case .and, .or: false
        case .field(let path, _, _), .unary(let path, _): path.isDocumentID
        }
    }

    var isEqualityOfName: Bool { isOnName && fieldOperator?.isEquality == true }
}

// As measured on the official emulator (1.19.9, 2026-11); that both rules exist is recorded from production (2026-09).

extension Filter {
    /// Refuses a filter that falls apart into too many alternatives.
    func validateDisjunctions() throws {
        guard disjunctionCount > QueryLimits.disjunctionMax else { return }
        let count = NormalizedFilter(self).disjunctionCount
        guard count <= QueryLimits.disjunctionMax else { throw FirestoreError.tooManyDisjunctions(count) }
    }

    /// Refuses two different tests of array elements that must hold together.
    func refuseSeveralElementTests() throws {
        guard leaves.count(where: \.isOnElements) > 1 else { return }
        guard !NormalizedFilter(self).hasSeveralElementTests else { throw FirestoreError.severalArrayContains }
    }

    private var isOnElements: Bool { fieldOperator?.isOnElements ?? false }

    /// How many disjunctions the normal form has, at most; saturates.
    private var disjunctionCount: Int {
        switch self {
        case .or(let filters): filters.reduce(0) { $0.addingSaturating($1.disjunctionCount) }
        case .and(let filters): filters.reduce(1) { $0.multipliedSaturating(by: $1.disjunctionCount) }
        case .field(_, let operation, let operand): operation.disjunct == nil ? 1 : operation.comparands(operand).count
        case .unary: 1
        }
    }
}
