// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
