// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Refuses what no document may contain.
///
/// Source of the rules, their texts and their precedence: measured on the official emulator 1.19.9.
struct FieldValidator {
    /// The top-level field; most refusals name it.
    private let property: String

    /// Checks a document's fields.
    static func validate(_ fields: [String: Value]) throws {
        for (name, value) in fields {
            try validate(topLevelName: name)
            try FieldValidator(property: name).validate(value)
        }
    }

    /// Checks one value on its own, such as the operand of a transform.
    static func validate(_ value: Value, of path: FieldPath) throws {
        try FieldValidator(property: path.segments[0]).validate(value)
    }

    private static func validate(topLevelName name: String) throws {
        guard !name.isEmpty else { throw DocumentStoreError.fieldNameEmpty }
        guard !ResourceID.isReserved(name) else { throw DocumentStoreError.fieldNameReserved(name) }
        guard name.utf8.count <= FieldPath.segmentByteCountMax else { throw DocumentStoreError.fieldNameTooLong }
    }

    private func validate(_ value: Value) throws {
        guard value.hasDepth(within: DocumentLimits.depthMax) else {
            throw DocumentStoreError.invalidNesting(in: property)
        }
        try validate(value, isNested: false)
    }

    private func validate(_ value: Value, isNested: Bool) throws {
        switch value {
        case .null, .boolean, .integer, .double, .reference: break
        case .timestamp(let time): guard time.isValid else { throw DocumentStoreError.timestampOutOfRange }
        case .string(let text): try validate(byteCount: text.utf8.count, isNested: isNested)
        case .bytes(let content): try validate(byteCount: content.count, isNested: isNested)
        case .geoPoint(let point): try validate(point)
        case .vector(let elements): try validate(elements)
        case .array(let elements): try validate(elements, isNested: isNested)
        case .map(let fields): try validate(fields)
        }
    }

    private func validate(byteCount: Int, isNested: Bool) throws {
        guard byteCount > DocumentLimits.valueByteCountMax else { return }
        throw isNested ? DocumentStoreError.invalidNesting(in: property) : .valueTooLong(of: property)
    }

    private func validate(_ point: GeoPoint) throws {
        guard (-90...90).contains(point.latitude) else {
            throw DocumentStoreError.geoPointOutOfRange("latitude", point.latitude, limit: 90)
        }
        guard (-180...180).contains(point.longitude) else {
            throw DocumentStoreError.geoPointOutOfRange("longitude", point.longitude, limit: 180)
        }
    }

    private func validate(_ vector: [Double]) throws {
        guard !vector.isEmpty else { throw DocumentStoreError.vectorEmpty }
        guard vector.count <= DocumentLimits.vectorDimensionMax else { throw DocumentStoreError.vectorTooLong }
    }

    private func validate(_ elements: [Value], isNested: Bool) throws {
        for element in elements {
            switch element {
            case .array: throw DocumentStoreError.arrayInArray
            case .vector: throw DocumentStoreError.vectorInArray
            default: try validate(element, isNested: isNested)
            }
        }
    }

    private func validate(_ fields: [String: Value]) throws {
        for (name, value) in fields {
            guard !ResourceID.isReserved(name) else { throw DocumentStoreError.nestedFieldNameReserved(name) }
            guard (1...FieldPath.segmentByteCountMax).contains(name.utf8.count) else {
                throw DocumentStoreError.invalidNesting(in: property)
            }
            try validate(value, isNested: true)
        }
    }
}

extension Value {
    /// Whether maps and arrays nest no deeper than this.
    func hasDepth(within limit: Int) -> Bool {
        switch self {
        case .array(let elements): limit > 0 && elements.allSatisfy { $0.hasDepth(within: limit - 1) }
        case .map(let fields): limit > 0 && fields.values.allSatisfy { $0.hasDepth(within: limit - 1) }
        default: true
        }
    }
}
