// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Filter {
    /// Refuses what is wrong with the operators and their operands, each on its own and all together.
    func validateParts(in database: DatabaseID?) throws {
        let leaves = self.leaves
        guard leaves.count(where: \.isNegation) <= 1 else { throw FirestoreError.severalNegations }
        let operators = leaves.compactMap(\.fieldOperator)
        if !operators.allSatisfy(\.allowsDisjunctions) {
            let isDisjunctive = operators.contains { $0.disjunct != nil }
            guard !isDisjunctive, !hasDisjunction else { throw FirestoreError.notInWithDisjunction }
        }
        try validateEach(in: database)
    }

    /// Refuses what Firestore has no index for: names beside other fields, long values, too many fields.
    func validateWhole(in database: DatabaseID?, hasCollection: Bool) throws {
        try refuseSeveralElementTests()
        let leaves = self.leaves
        try validateSubject(in: database, hasCollection: hasCollection)
        let paths = Set(inequalityPaths)
        guard paths.count <= QueryLimits.inequalityMax else { throw FirestoreError.tooManyInequalities(paths) }
        guard !paths.isEmpty, !paths.contains(.documentID) else { return }
        guard !leaves.contains(where: \.isEqualityOfName) else {
            throw FirestoreError.nameEqualityBesideInequality
        }
    }

    private func validateEach(in database: DatabaseID?) throws {
        switch self {
        case .and(let filters):
            for filter in filters {
                try filter.validateEach(in: database)
            }
        case .or(let filters):
            guard !filters.isEmpty else { throw FirestoreError.emptyComposite }
            for filter in filters {
                try filter.validateEach(in: database)
            }
        case .field(let path, let operation, let operand):
            try path.validate()
            try operation.validate(operand)
            try operand.validateOperand(in: database)
        case .unary(let path, _):
            try path.validate()
        }
    }

    /// Refuses fields that cannot be asked like this, here.
    private func validateSubject(in database: DatabaseID?, hasCollection: Bool) throws {
        switch self {
        case .and(let filters), .or(let filters):
            for filter in filters {
                try filter.validateSubject(in: database, hasCollection: hasCollection)
            }
        case .unary(let path, _):
            guard !path.isDocumentID else { throw FirestoreError.nameNeedsReference }
            guard hasCollection else { throw FirestoreError.filterNeedsCollection(path.unquoted) }
        case .field(let path, let operation, let operand):
            guard !path.isDocumentID else { return try operation.validateNames(operand, in: database) }
            let subject = path.unquoted + (operation.isOnElements ? "[*]" : "")
            guard hasCollection else { throw FirestoreError.filterNeedsCollection(subject) }
            for value in operation.comparands(operand) {
                guard DocumentSize.byteCount(of: value) <= QueryLimits.operandByteCountMax else {
                    throw FirestoreError.operandTooLarge(subject)
                }
            }
        }
    }
}
