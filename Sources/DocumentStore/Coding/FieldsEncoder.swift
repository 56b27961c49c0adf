// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Writes a document's fields in the store's own compact form.
///
///     fields   count (name value)…    by name: equal fields give equal bytes
///     string   byte count, UTF-8
///     value    tag body               tags below; integers as zigzag varints, doubles as 8 bytes
///
/// A change of this form needs a migration in `StoreSchema`.
struct FieldsEncoder {
    private(set) var bytes: [UInt8] = []

    static func encode(_ fields: [String: Value]) -> [UInt8] {
        var encoder = FieldsEncoder()
        encoder.append(fields)
        return encoder.bytes
    }

    mutating func append(_ fields: [String: Value]) {
        append(count: fields.count)
        for (name, value) in fields.sortedByName {
            append(name)
            append(value)
        }
    }

    mutating func append(_ value: Value) {
        bytes.append(value.storedTag.rawValue)
        switch value {
        case .null, .boolean: break
        case .integer(let number): append(number)
        case .double(let number): append(number)
        case .timestamp(let time): append(time.microseconds)
        case .string(let text): append(text)
        case .bytes(let content): append(content)
        case .reference(let reference): append(reference)
        case .geoPoint(let point):
            append(point.latitude)
            append(point.longitude)
        case .array(let elements): append(elements)
        case .vector(let elements): append(elements)
        case .map(let fields): append(fields)
        }
    }

    private mutating func append(count: Int) {
        appendVarint(UInt64(count))
    }

    private mutating func append(_ text: String) {
        append(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(_ content: [UInt8]) {
        append(count: content.count)
        bytes.append(contentsOf: content)
    }

    private mutating func append(_ number: Int64) {
        appendVarint(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    private mutating func append(_ number: Double) {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ elements: [Value]) {
        append(count: elements.count)
        for element in elements {
            append(element)
        }
    }

    private mutating func append(_ elements: [Double]) {
        append(count: elements.count)
        for element in elements {
            append(element)
        }
    }

    private mutating func append(_ reference: DocumentReference) {
        append(reference.database.project)
        append(reference.database.database)
        append(count: reference.path.segments.count)
        for segment in reference.path.segments {
            append(segment)
        }
    }

    private mutating func appendVarint(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
