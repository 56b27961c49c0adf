// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A filter, ready to be evaluated.
indirect enum Predicate: Sendable {
    case all([Predicate])
    case any([Predicate])
    case condition(FieldCondition)

    init(_ filter: Filter) {
        switch filter {
        case .and(let filters): self = .all(filters.map { Predicate($0) })
        case .or(let filters): self = .any(filters.map { Predicate($0) })
        case .field(let path, let operation, let value): self = .condition(FieldCondition(path, operation, value))
        case .unary(let path, let operation): self = .condition(FieldCondition(path, operation))
        }
    }

    func matches(_ candidate: Candidate) throws -> Bool {
        switch self {
        case .all(let predicates): try predicates.allSatisfy { try $0.matches(candidate) }
        case .any(let predicates): try predicates.contains { try $0.matches(candidate) }
        case .condition(let condition): condition.matches(try candidate.value(at: condition.path))
        }
    }

    /// Conditions that all must hold, whatever else must.
    var conjuncts: [FieldCondition] {
        switch self {
        case .all(let predicates): predicates.flatMap(\.conjuncts)
        case .any(let predicates): predicates.count == 1 ? predicates[0].conjuncts : []
        case .condition(let condition): [condition]
        }
    }

    /// The disjunctive normal form: one of these lists must hold in full.
    ///
    /// Validation keeps it to `QueryLimits.disjunctionMax` lists.
    var disjuncts: [[FieldCondition]] {
        switch self {
        case .condition(let condition): [[condition]]
        case .any(let predicates): predicates.flatMap(\.disjuncts)
        case .all(let predicates):
            predicates.reduce([[]]) { lists, predicate in
                lists.flatMap { list in predicate.disjuncts.map { list + $0 } }
            }
        }
    }
}
