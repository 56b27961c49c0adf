// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Refuses what no document may contain.
///
/// Source of the rules and their texts: production where recorded (2026-09), else the official emulator 1.19.9, also
/// for their precedence.
package struct FieldValidator {
    /// The top-level field; most refusals name it.
    private let property: String
    /// Whether the maps that stand for BSON values are fine.
    private let allowsBSON: Bool

    /// Checks a document's fields.
    package static func validate(_ fields: [String: Value], allowsBSON: Bool = false) throws {
        for (name, value) in fields {
            try validate(topLevelName: name)
            try FieldValidator(property: name, allowsBSON: allowsBSON).validate(value, at: name.utf8.count)
        }
    }

    /// Checks one value on its own, such as the operand of a transform.
    package static func validate(_ value: Value, of path: FieldPath, allowsBSON: Bool = false) throws {
        try FieldValidator(property: path.segments[0], allowsBSON: allowsBSON).validate(value, at: path.byteCount)
    }

    private static func validate(topLevelName name: String) throws {
        guard !name.isEmpty else { throw FirestoreError.fieldNameEmpty }
        guard !ResourceID.isReserved(name) else { throw FirestoreError.fieldNameReserved(name) }
        guard name.utf8.count <= FieldPath.segmentByteCountMax else { throw FirestoreError.fieldNameTooLong }
    }

    private func validate(_ value: Value, at pathByteCount: Int) throws {
        guard value.hasDepth(within: DocumentLimits.depthMax) else {
            throw FirestoreError.invalidNesting(in: property)
        }
        try validate(value, at: pathByteCount, isNested: false)
    }

    /// The length of the path to a value counts the names of the maps it is in, and their dots.
    private func validate(_ value: Value, at pathByteCount: Int, isNested: Bool) throws {
        switch value {
        case .null, .boolean, .integer, .double, .reference: break
        case .timestamp(let time): guard time.isValid else { throw FirestoreError.timestampOutOfRange }
        case .string(let text): try validate(byteCount: text.utf8.count, isNested: isNested)
        case .bytes(let content): try validate(byteCount: content.count, isNested: isNested)
        case .geoPoint(let point): try point.validate()
        case .vector(let elements): try Self.validate(elements)
        case .array(let elements): try validate(elements, at: pathByteCount, isNested: isNested)
        case .map(let fields):
            if allowsBSON, let form = BSONForm(fields) { return try form.validate() }
            try validate(fields, at: pathByteCount)
        }
    }

    private func validate(byteCount: Int, isNested: Bool) throws {
        guard byteCount > DocumentLimits.valueByteCountMax else { return }
        throw isNested ? FirestoreError.invalidNesting(in: property) : .valueTooLong(of: property)
    }

    /// Checks a vector, wherever it is.
    package static func validate(_ vector: [Double]) throws {
        guard !vector.isEmpty else { throw FirestoreError.vectorEmpty }
        guard vector.count <= DocumentLimits.vectorDimensionMax else { throw FirestoreError.vectorTooLong }
    }

    private func validate(_ elements: [Value], at pathByteCount: Int, isNested: Bool) throws {
        for element in elements {
            switch element {
            case .array: throw FirestoreError.arrayInArray
            case .vector: throw FirestoreError.vectorInArray
            case .null, .boolean, .integer, .double, .timestamp, .string, .bytes, .reference, .geoPoint, .map:
                try validate(element, at: pathByteCount, isNested: isNested)
            }
        }
    }

    /// A type that is not a vector's is reported as the map's kind: no value of a known type.
    private func refusal(ofReserved name: String) -> FirestoreError {
        name == BSONForm.typeName ? .invalidNesting(in: property) : .nestedFieldNameReserved(name)
    }

    private func validate(_ fields: [String: Value], at pathByteCount: Int) throws {
        for (name, value) in fields {
            guard !ResourceID.isReserved(name) else { throw refusal(ofReserved: name) }
            guard (1...FieldPath.segmentByteCountMax).contains(name.utf8.count) else {
                throw FirestoreError.invalidNesting(in: property)
            }
            let innerByteCount = pathByteCount + 1 + name.utf8.count
            guard innerByteCount <= FieldPath.byteCountMax else { throw FirestoreError.fieldPathTooLong }
            try validate(value, at: innerByteCount, isNested: true)
        }
    }
}

extension GeoPoint {
    package func validate() throws {
        guard (-90...90).contains(latitude) else {
            throw FirestoreError.geoPointOutOfRange("latitude", degrees: latitude, limit: 90)
        }
        guard (-180...180).contains(longitude) else {
            throw FirestoreError.geoPointOutOfRange("longitude", degrees: longitude, limit: 180)
        }
    }
}

extension Value {
    /// Whether maps and arrays nest no deeper than this.
    package func hasDepth(within limit: Int) -> Bool {
        switch self {
        case .array(let elements): limit > 0 && elements.allSatisfy { $0.hasDepth(within: limit - 1) }
        case .map(let fields): limit > 0 && fields.values.allSatisfy { $0.hasDepth(within: limit - 1) }
        case .null, .boolean, .integer, .double, .timestamp, .string, .bytes, .reference, .geoPoint, .vector: true
        }
    }
}
