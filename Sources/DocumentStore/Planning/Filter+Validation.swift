// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Filter {
    /// Refuses what Firestore refuses, in production's words (recorded 2026-09).
    func validate(in database: DatabaseID?) throws {
        try validateParts(in: database)
        let leaves = self.leaves
        guard leaves.count(where: \.isNegation) <= 1 else { throw DocumentStoreError.severalNegations }
        if leaves.contains(where: { $0.isField(.notIn) }) {
            let isDisjunctive = leaves.contains { $0.isField(.in) || $0.isField(.arrayContainsAny) }
            guard !isDisjunctive, !hasDisjunction else { throw DocumentStoreError.notInWithDisjunction }
        }
        try validateInequalities(leaves)
        try validateNormalForm()
    }

    private func validateParts(in database: DatabaseID?) throws {
        switch self {
        case .and(let filters):
            for filter in filters {
                try filter.validateParts(in: database)
            }
        case .or(let filters):
            guard !filters.isEmpty else { throw DocumentStoreError.emptyComposite }
            for filter in filters {
                try filter.validateParts(in: database)
            }
        case .field(let path, let operation, let operand):
            try path.refuseReservedName()
            try operation.validate(operand)
            try operand.validateBSON(in: database)
            if path.isDocumentID {
                try operation.validateNames(operand, in: database)
            }
        case .unary(let path, _):
            try path.refuseReservedName()
            guard !path.isDocumentID else { throw DocumentStoreError.nameNeedsReference }
        }
    }

    private func validateInequalities(_ leaves: [Filter]) throws {
        let paths = Set(inequalityPaths)
        guard paths.count <= QueryLimits.inequalityMax else { throw DocumentStoreError.tooManyInequalities(paths) }
        guard !paths.isEmpty, !paths.contains(.documentID) else { return }
        guard !leaves.contains(where: \.isEqualityOfName) else {
            throw DocumentStoreError.nameEqualityBesideInequality
        }
    }

    private var leaves: [Filter] {
        switch self {
        case .and(let filters), .or(let filters): filters.flatMap(\.leaves)
        case .field, .unary: [self]
        }
    }

    private var hasDisjunction: Bool {
        switch self {
        case .or: true
        case .and(let filters): filters.contains(where: \.hasDisjunction)
        case .field, .unary: false
        }
    }

    private var isNegation: Bool {
        switch self {
        case .field(_, .notEqual, _), .field(_, .notIn, _): true
        case .unary(_, let operation): operation.isNegation
        default: false
        }
    }

    private func isField(_ wanted: FieldOperator) -> Bool {
        guard case .field(_, let operation, _) = self else { return false }
        return operation == wanted
    }

    private var isEqualityOfName: Bool {
        guard case .field(let path, let operation, _) = self else { return false }
        return path.isDocumentID && (operation == .equal || operation == .in)
    }
}
