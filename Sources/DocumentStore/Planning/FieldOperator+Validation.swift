// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Which operands the operators take, in production's words (recorded 2026-09).

extension Filter.FieldOperator {
    func validate(_ operand: Value) throws {
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

    /// Names compare with references of their own database only.
    func validateNames(_ operand: Value, in database: DatabaseID?) throws {
        guard self != .arrayContains, self != .arrayContainsAny else { throw DocumentStoreError.nameIsNoArray }
        for name in operandCountMax == nil ? [operand] : operand.arrayElements ?? [] {
            guard case .reference(let reference) = name else { throw DocumentStoreError.nameNeedsReference }
            if let database, reference.database != database {
                throw DocumentStoreError.otherDatabase(reference.database, request: database)
            }
        }
    }
}

extension Value {
    /// Refuses BSON values where the database has none: there they are maps with a reserved name.
    func validateBSON(in database: DatabaseID?) throws {
        guard let database else { return }
        switch self {
        case .map(let fields):
            guard let form = BSONForm(fields), let name = fields.keys.first else { return }
            guard database.hasBSON else { throw DocumentStoreError.nestedFieldNameReserved(name) }
            try form.validate()
        case .array(let elements):
            for element in elements {
                try element.validateBSON(in: database)
            }
        default: break
        }
    }
}
