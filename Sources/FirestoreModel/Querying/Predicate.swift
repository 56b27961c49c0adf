// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A filter, ready to be evaluated.
package indirect enum Predicate: Sendable {
    case all([Predicate])
    case any([Predicate])
    case condition(FieldCondition)

    package init(_ filter: Filter) {
        switch filter {
        case .and(let filters): self = .all(filters.map { Predicate($0) })
        case .or(let filters): self = .any(filters.map { Predicate($0) })
        case .field(let path, let operation, let value): self = .condition(FieldCondition(path, operation, value))
        case .unary(let path, let operation): self = .condition(FieldCondition(path, operation))
        }
    }

    package func matches(_ candidate: Candidate) throws -> Bool {
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
    package var disjuncts: [[FieldCondition]] {
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

/// A document that may be in a query's result.
package struct Candidate {
    package let reference: DocumentReference
    package let document: Document

    package init(reference: DocumentReference, document: Document) {
        self.reference = reference
        self.document = document
    }

    package init(_ document: Document, in database: DatabaseID) {
        self.init(reference: DocumentReference(database: database, path: document.path), document: document)
    }

    package func value(at path: FieldPath) throws -> Value? {
        path.isDocumentID ? .reference(reference) : try document.value(at: path)
    }

    /// The document's place in an order; `nil` when it lacks a field of it.
    package func sortKey(in orders: [Query.Ordering]) throws -> OrderedKey? {
        var encoder = KeyEncoder()
        for order in orders {
            guard let value = try value(at: order.fieldPath) else { return nil }
            encoder.append(value, in: order.direction)
        }
        return encoder.key
    }
}
