// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The disjunctive normal form as Firestore counts it: `in` and `array-contains-any` are disjunctions of their
// distinct values.

extension Filter {
    func validateNormalForm() throws {
        let count = disjunctionCount
        guard count <= QueryLimits.disjunctionMax else { throw DocumentStoreError.tooManyDisjunctions(count) }
        guard normalForm.allSatisfy({ $0.count <= 1 }) else { throw DocumentStoreError.severalArrayContains }
    }

    /// How many disjunctions the normal form has; saturates.
    private var disjunctionCount: Int {
        switch self {
        case .or(let filters):
            filters.reduce(0) { $0 + $1.disjunctionCount }
        case .and(let filters):
            filters.reduce(1) { product, filter in
                let (count, isTooMany) = product.multipliedReportingOverflow(by: filter.disjunctionCount)
                return isTooMany ? Int(Int32.max) : count
            }
        case .field(_, let operation, let operand):
            operation.isDisjunction ? operand.distinctElementKeys.count : 1
        case .unary:
            1
        }
    }

    /// For each disjunction the different tests on array elements in it; of other tests nothing.
    private var normalForm: [Set<ElementTest>] {
        switch self {
        case .or(let filters): filters.flatMap(\.normalForm)
        case .and(let filters):
            filters.reduce([[]]) { sets, filter in
                sets.flatMap { set in filter.normalForm.map { set.union($0) } }
            }
        case .field(let path, .arrayContains, let operand):
            [[ElementTest(path: path, operation: .arrayContains, key: OrderedKey(operand))]]
        case .field(let path, .arrayContainsAny, let operand):
            operand.distinctElementKeys.map { [ElementTest(path: path, operation: .arrayContainsAny, key: $0)] }
        case .field, .unary: [[]]
        }
    }
}

/// That an array contains a value.
///
/// Equal tests count once, but not when their operators differ.
private struct ElementTest: Hashable {
    let path: FieldPath
    let operation: Filter.FieldOperator
    let key: OrderedKey
}

extension Filter.FieldOperator {
    fileprivate var isDisjunction: Bool { self == .in || self == .arrayContainsAny }
}

extension Value {
    fileprivate var distinctElementKeys: Set<OrderedKey> {
        Set((arrayElements ?? []).map { OrderedKey($0) })
    }
}
