// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// The indexes that a query is answered from.
///
/// A few documents are looked through instead: then these are the indexes that fit it.
package struct PlanExplanation: Sendable, Equatable {
    /// How a field is in an index.
    package enum Mode: String, Sendable {
        case ascending = "ASC"
        case descending = "DESC"
        case contains = "CONTAINS"
    }

    package struct Field: Sendable, Equatable {
        package var path: FieldPath
        package var mode: Mode
    }

    package struct Index: Sendable, Equatable {
        /// In order; the name is the last.
        package var fields: [Field]
        /// Whether it is of all collections of an id.
        package var isOfGroup: Bool
    }

    /// One for each part of the filter's disjunction, each once.
    package var indexes: [Index]
}

extension PlanExplanation {
    init(_ plan: QueryPlan) {
        self.init(indexes: [])
        for branch in plan.access.branches {
            let index = Index(branch)
            if !indexes.contains(index) { indexes.append(index) }
        }
    }
}

extension PlanExplanation.Index {
    /// As read: a descending query reads every part the other way round.
    fileprivate init(_ branch: AccessPath.Branch) {
        let isBackwards = branch.direction == .descending
        fields = branch.shape.parts.enumerated().map { index, part in
            guard part.mode != .elements else { return PlanExplanation.Field(path: part.path, mode: .contains) }
            let isAscending = (part.mode == .ascending) != (isBackwards && index >= branch.leadingPartCount)
            return PlanExplanation.Field(path: part.path, mode: isAscending ? .ascending : .descending)
        }
        fields.append(PlanExplanation.Field(path: .documentID, mode: isBackwards ? .descending : .ascending))
        isOfGroup = if case .collection = branch.shape.scope { false } else { true }
    }
}
