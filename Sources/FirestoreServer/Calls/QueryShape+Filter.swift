// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol

extension QueryShape {
    /// The condition without its values; a composite within another is in parentheses.
    static func text(of filter: Proto.StructuredQuery.Filter, isNested: Bool = false) -> String {
        switch filter.filterType {
        case .fieldFilter(let field): "\(field.field.fieldPath) \(symbol(field.op))"
        case .unaryFilter(let unary): "\(unary.field.fieldPath) \(symbol(unary.op))"
        case .compositeFilter(let composite): text(of: composite, isNested: isNested)
        case nil: "?"
        }
    }

    private static func text(of composite: Proto.StructuredQuery.CompositeFilter, isNested: Bool) -> String {
        let needsParentheses = isNested && composite.filters.count > 1
        let parts = composite.filters.map { text(of: $0, isNested: composite.filters.count > 1) }
        let joined = parts.joined(separator: composite.op == .or ? " or " : " and ")
        return needsParentheses ? "(\(joined))" : joined
    }

    private static func symbol(_ operation: Proto.StructuredQuery.FieldFilter.Operator) -> String {
        switch operation {
        case .lessThan: "<"
        case .lessThanOrEqual: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqual: ">="
        case .equal: "=="
        case .notEqual: "!="
        case .arrayContains: "array-contains"
        case .in: "in"
        case .arrayContainsAny: "array-contains-any"
        case .notIn: "not-in"
        case .unspecified, .UNRECOGNIZED: "?"
        }
    }

    private static func symbol(_ operation: Proto.StructuredQuery.UnaryFilter.Operator) -> String {
        switch operation {
        case .isNan: "is nan"
        case .isNull: "is null"
        case .isNotNan: "is not nan"
        case .isNotNull: "is not null"
        case .unspecified, .UNRECOGNIZED: "?"
        }
    }
}
