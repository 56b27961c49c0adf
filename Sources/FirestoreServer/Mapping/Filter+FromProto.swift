// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreProtocol

extension Filter {
    /// Converts a received condition.
    init(_ proto: Proto.StructuredQuery.Filter) throws {
        switch proto.filterType {
        case .compositeFilter(let composite):
            try self.init(composite)
        case .fieldFilter(let filter):
            let fieldPath = try FieldPath(parsing: filter.field.fieldPath)
            self = .field(fieldPath, try FieldOperator(filter.op), try Value(filter.value))
        case .unaryFilter(let filter):
            guard case .field(let field) = filter.operandType else { throw CallError.unaryOperandMissing }
            self = .unary(try FieldPath(parsing: field.fieldPath), try UnaryOperator(filter.op))
        case nil:
            throw CallError.filterUnknown
        }
    }

    private init(_ composite: Proto.StructuredQuery.CompositeFilter) throws {
        let filters = try composite.filters.map { try Filter($0) }
        switch composite.op {
        case .and: self = .and(filters)
        case .or where filters.isEmpty: throw CallError.compositeFilterEmpty
        case .or: self = .or(filters)
        case .unspecified, .UNRECOGNIZED: throw CallError.compositeOperatorUnknown
        }
    }
}

extension Filter.FieldOperator {
    fileprivate init(_ proto: Proto.StructuredQuery.FieldFilter.Operator) throws {
        switch proto {
        case .lessThan: self = .lessThan
        case .lessThanOrEqual: self = .lessThanOrEqual
        case .greaterThan: self = .greaterThan
        case .greaterThanOrEqual: self = .greaterThanOrEqual
        case .equal: self = .equal
        case .notEqual: self = .notEqual
        case .arrayContains: self = .arrayContains
        case .in: self = .in
        case .arrayContainsAny: self = .arrayContainsAny
        case .notIn: self = .notIn
        case .unspecified, .UNRECOGNIZED: throw CallError.fieldOperatorUnknown
        }
    }
}

extension Filter.UnaryOperator {
    fileprivate init(_ proto: Proto.StructuredQuery.UnaryFilter.Operator) throws {
        switch proto {
        case .isNan: self = .isNaN
        case .isNull: self = .isNull
        case .isNotNan: self = .isNotNaN
        case .isNotNull: self = .isNotNull
        case .unspecified, .UNRECOGNIZED: throw CallError.unaryOperatorUnknown
        }
    }
}
