// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A filter in which equal parts are equal, however they are written: `in` is an `or` of equalities, what is said twice
/// is there once, and order does not matter.
///
/// 1 and 1.0 are two values. What matches nothing, as a comparison with null does, counts as a field that equals both
/// true and false (official emulator 1.19.9, 2026-11).
indirect enum NormalizedFilter: Hashable {
    case all(Set<NormalizedFilter>)
    case any(Set<NormalizedFilter>)
    case leaf(Leaf)

    struct Leaf: Hashable {
        package let path: FieldPath
        package let operation: String
        package var key: OrderedKey?
        var isInteger = false
        package var isOnElements = false
    }

    package init(_ filter: Filter) {
        switch filter {
        case .and(let filters): self = .all(Set(filters.flatMap { NormalizedFilter($0).conjuncts }))
        case .or(let filters): self = .any(Set(filters.flatMap { NormalizedFilter($0).disjuncts }))
        case .unary(let path, let operation): self = .leaf(Leaf(path: path, operation: operation.rawValue))
        case .field(let path, let operation, let operand):
            if let single = operation.disjunct {
                self = .any(
                    Set(operation.comparands(operand).map { NormalizedFilter(path, operation: single, operand: $0) })
                )
            } else {
                self.init(path, operation: operation, operand: operand)
            }
        }
    }

    private init(_ path: FieldPath, operation: Filter.FieldOperator, operand: Value) {
        guard operation.canMatch(with: operand) else {
            self =
                operation.isOnElements
                ? .leaf(Leaf(path: path, operation: "NOTHING", isOnElements: true))
                : .all([
                    .leaf(Leaf(path, operation: .equal, operand: .boolean(false))),
                    .leaf(Leaf(path, operation: .equal, operand: .boolean(true))),
                ])
            return
        }
        self = .leaf(Leaf(path, operation: operation, operand: operand))
    }

    private var conjuncts: Set<NormalizedFilter> {
        guard case .all(let parts) = self else { return [self] }
        return parts
    }

    private var disjuncts: Set<NormalizedFilter> {
        guard case .any(let parts) = self else { return [self] }
        return parts
    }

    /// Whether two tests of array elements must hold together.
    var hasSeveralElementTests: Bool {
        switch self {
        case .all(let parts):
            parts.count(where: \.hasElementTest) > 1 || parts.contains(where: \.hasSeveralElementTests)
        case .any(let parts): parts.contains(where: \.hasSeveralElementTests)
        case .leaf: false
        }
    }

    private var hasElementTest: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.contains(where: \.hasElementTest)
        case .leaf(let leaf): leaf.isOnElements
        }
    }
}

extension NormalizedFilter {
    /// How many disjunctions the normal form has; at most, where counting exactly would take long.
    var disjunctionCount: Int {
        upperBound <= Self.exactCountMax ? normalForm.count : upperBound
    }

    private static let exactCountMax = 1_024

    private var upperBound: Int {
        switch self {
        case .all(let parts): parts.reduce(1) { $0.multipliedSaturating(by: $1.upperBound) }
        case .any(let parts): parts.reduce(0) { $0.addingSaturating($1.upperBound) }
        case .leaf: 1
        }
    }

    /// An `and` of one condition is another than the condition, unless it comes of distributing.
    private struct Conjunction: Hashable {
        let leaves: Set<Leaf>
        var isWrittenOfOne = false
    }

    private var normalForm: Set<Conjunction> {
        switch self {
        case .all(let parts):
            let product = parts.reduce([[]]) { (sets: Set<Set<Leaf>>, part) in
                let form = part.normalForm
                return Set(sets.flatMap { set in form.map { set.union($0.leaves) } })
            }
            let isDistributed = parts.contains(where: \.isDisjunction)
            return Set(product.map { Conjunction(leaves: $0, isWrittenOfOne: !isDistributed && $0.count == 1) })
        case .any(let parts): return parts.reduce(into: []) { $0.formUnion($1.normalForm) }
        case .leaf(let leaf): return [Conjunction(leaves: [leaf])]
        }
    }

    private var isDisjunction: Bool {
        guard case .any = self else { return false }
        return true
    }
}

extension NormalizedFilter.Leaf {
    fileprivate init(_ path: FieldPath, operation: Filter.FieldOperator, operand: Value) {
        self.init(
            path: path,
            operation: operation.rawValue,
            key: OrderedKey(operand),
            isInteger: operand.isInteger,
            isOnElements: operation.isOnElements
        )
    }
}

extension Value {
    fileprivate var isInteger: Bool {
        guard case .integer = self else { return false }
        return true
    }
}

extension Int {
    package func addingSaturating(_ other: Int) -> Int { Swift.min(self + other, Int(Int32.max)) }

    func multipliedSaturating(by other: Int) -> Int {
        let (product, isTooMany) = multipliedReportingOverflow(by: other)
        return isTooMany ? Int(Int32.max) : Swift.min(product, Int(Int32.max))
    }
}
