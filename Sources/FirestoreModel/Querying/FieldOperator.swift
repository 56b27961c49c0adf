// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The properties of each operator. No switch here has a default: a new operator does not compile until each
// question is answered. What its operand may be is for `validate` and `validateNames` below to say: they hold what
// is true of all operators but those with a list.

extension Filter.FieldOperator {
    /// Whether it looks into arrays.
    package var isOnElements: Bool {
        switch self {
        case .arrayContains, .arrayContainsAny: true
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual, .in, .notIn: false
        }
    }

    /// The operator whose `or` over the operand's elements it stands for; `nil` for other operators.
    var disjunct: Self? {
        switch self {
        case .in: .equal
        case .arrayContainsAny: .arrayContains
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual, .arrayContains, .notIn:
            nil
        }
    }

    /// Whether it matches all values but some; a query may have one such operator.
    var isNegation: Bool {
        switch self {
        case .notEqual, .notIn: true
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .arrayContains, .in,
            .arrayContainsAny:
            false
        }
    }

    /// Whether it matches single values of the whole field.
    var isEquality: Bool {
        switch self {
        case .equal, .in: true
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual, .arrayContains,
            .arrayContainsAny, .notIn:
            false
        }
    }

    /// Whether it may stand beside a disjunction, be that an `or` or an operator.
    var allowsDisjunctions: Bool {
        switch self {
        case .notIn: false
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual, .arrayContains, .in,
            .arrayContainsAny:
            true
        }
    }

    /// How many values the operand may list; `nil` for an operator that takes a single one.
    var operandCountMax: Int? {
        switch self {
        case .in, .arrayContainsAny: QueryLimits.disjunctionMax
        case .notIn: QueryLimits.exclusionMax
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual, .arrayContains: nil
        }
    }

    /// Whether the query orders by the field unless it says otherwise.
    ///
    /// Comparing with null, or asking for numbers around NaN, asks for nothing and orders nothing (measured on the
    /// official emulator 1.19.9, 2026-11).
    func isInequality(with operand: Value) -> Bool {
        switch self {
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: operand.isComparable
        case .notEqual: operand.tag != .null
        case .notIn: true
        case .equal, .arrayContains, .in, .arrayContainsAny: false
        }
    }

    /// Whether a document can match; only of operators that compare with a single value, and `not-in`.
    func canMatch(with operand: Value) -> Bool {
        switch self {
        case .notIn: true
        case .notEqual: operand.tag != .null
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .arrayContains, .in,
            .arrayContainsAny:
            operand.isComparable
        }
    }
}

extension Filter.UnaryOperator {
    /// Whether it matches all values but one.
    var isNegation: Bool {
        switch self {
        case .isNotNaN, .isNotNull: true
        case .isNaN, .isNull: false
        }
    }
}

extension Filter.FieldOperator {
    package func validate(_ operand: Value) throws {
        guard let limit = operandCountMax else { return }
        guard let elements = operand.arrayElements else { throw FirestoreError.needsArray(self) }
        guard !elements.isEmpty else { throw FirestoreError.needsNonEmptyArray(self) }
        guard elements.count <= limit else { throw FirestoreError.tooManyComparisonValues(self, limit: limit) }
    }

    /// The values that a field is compared with.
    func comparands(_ operand: Value) -> [Value] {
        operandCountMax == nil ? [operand] : operand.arrayElements ?? []
    }

    /// Names compare with references of their own database only.
    func validateNames(_ operand: Value, in database: DatabaseID?) throws {
        guard !isOnElements else { throw FirestoreError.nameIsReserved }
        for name in comparands(operand) {
            guard case .reference(let reference) = name else { throw FirestoreError.nameNeedsReference }
            if let database, reference.database != database {
                throw FirestoreError.otherDatabase(reference.database, request: database)
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
                    throw FirestoreError.nestedFieldNameReserved(name)
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
