// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Filter.FieldOperator {
    func validate(_ operand: Value) throws {
        guard let limit = operandCountMax else { return }
        guard let elements = operand.arrayElements else { throw DocumentStoreError.needsArray(self) }
        guard !elements.isEmpty else { throw DocumentStoreError.needsNonEmptyArray(self) }
        guard elements.count <= limit else { throw DocumentStoreError.tooManyComparisonValues(self, limit: limit) }
    }

    /// The values that a field is compared with.
    func comparands(_ operand: Value) -> [Value] {
        operandCountMax == nil ? [operand] : operand.arrayElements ?? []
    }

    /// Names compare with references of their own database only.
    func validateNames(_ operand: Value, in database: DatabaseID?) throws {
        guard !isOnElements else { throw DocumentStoreError.nameIsReserved }
        for name in comparands(operand) {
            guard case .reference(let reference) = name else { throw DocumentStoreError.nameNeedsReference }
            if let database, reference.database != database {
                throw DocumentStoreError.otherDatabase(reference.database, request: database)
            }
        }
    }
}

extension Value {
    /// Refuses what no field may be compared with; arrays may nest, names of fields be empty, types unknown (measured
    /// on the official emulator 1.19.9, 2026-11).
    func validateOperand(in database: DatabaseID?) throws {
        switch self {
        case .geoPoint(let point): try point.validate()
        case .vector(let elements): try FieldValidator.validate(elements)
        case .map(let fields):
            if database?.hasBSON ?? false, let form = BSONForm(fields) { return try form.validate() }
            for (name, value) in fields {
                guard !ResourceID.isReserved(name) || name == BSONForm.typeName else {
                    throw DocumentStoreError.nestedFieldNameReserved(name)
                }
                try value.validateOperand(in: database)
            }
        case .array(let elements):
            for element in elements {
                try element.validateOperand(in: database)
            }
        case .null, .boolean, .integer, .double, .timestamp, .string, .bytes, .reference: break
        }
    }
}
