// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Filter {
    func validate() throws {
        try validateParts()
        let leaves = self.leaves
        guard leaves.count(where: \.isNegation) <= 1 else { throw DocumentStoreError.severalNegations }
        if leaves.contains(where: { $0.isField(.notIn) }) {
            let isDisjunctive = leaves.contains { $0.isField(.in) || $0.isField(.arrayContainsAny) }
            guard !isDisjunctive, !hasDisjunction else { throw DocumentStoreError.notInWithDisjunction }
        }
        try validateNormalForm()
    }

    private func validateParts() throws {
        switch self {
        case .and(let filters):
            for filter in filters {
                try filter.validateParts()
            }
        case .or(let filters):
            guard !filters.isEmpty else { throw DocumentStoreError.emptyComposite }
            for filter in filters {
                try filter.validateParts()
            }
        case .field(let path, let operation, let operand):
            try path.refuseReservedName()
            try operation.validate(operand)
            if path.isDocumentID {
                try operation.validateNames(operand)
            }
        case .unary(let path, _):
            try path.refuseReservedName()
            guard !path.isDocumentID else { throw DocumentStoreError.nameNeedsReference }
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
}

extension Filter.FieldOperator {
    fileprivate func validate(_ operand: Value) throws {
        guard let limit = operandCountMax else { return }
        guard let elements = operand.arrayElements else { throw DocumentStoreError.needsArray(self) }
        guard !elements.isEmpty else { throw DocumentStoreError.needsNonEmptyArray(self) }
        guard elements.count <= limit else { throw DocumentStoreError.tooManyComparisonValues(self, limit: limit) }
    }

    /// How many values the operand may list; `nil` for an operator that takes a single one.
    private var operandCountMax: Int? {
        switch self {
        case .in, .arrayContainsAny: QueryLimits.disjunctionMax
        case .notIn: QueryLimits.exclusionMax
        default: nil
        }
    }

    /// Names compare with references only.
    fileprivate func validateNames(_ operand: Value) throws {
        guard self != .arrayContains, self != .arrayContainsAny else { throw DocumentStoreError.nameIsNoArray }
        let names = operandCountMax == nil ? [operand] : operand.arrayElements ?? []
        guard names.allSatisfy({ $0.tag == .reference }) else { throw DocumentStoreError.nameNeedsReference }
    }
}
