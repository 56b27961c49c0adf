// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Writes a document's fields in the protocol's own form: the `fields` entries of `google.firestore.v1.Document`.
///
/// So a front-end can send the bytes as they are stored. Entries are in the order of their names' UTF-8 bytes and
/// numbers in one spelling: equal fields give equal bytes. A change of this form needs a new `StoreSchema.version`.
package enum FieldsEncoder {
    package static func encode(_ fields: [String: Value]) -> [UInt8] {
        var writer = WireWriter(capacity: 48 * fields.count)
        writer.append(WireTag.documentField, fields: fields)
        return writer.bytes
    }
}

extension WireWriter {
    fileprivate mutating func append(_ tag: UInt64, fields: [String: Value]) {
        for (name, value) in fields.sortedByName {
            append(tag, name: name) { $0.append(value) }
        }
    }

    private mutating func append(_ tag: UInt64, name: String, value: (inout WireWriter) -> Void) {
        append(tag) { entry in
            entry.append(WireTag.key, text: name)
            entry.append(WireTag.value, message: value)
        }
    }

    private mutating func append(_ value: Value) {
        switch value {
        case .null: append(WireTag.null, integer: 0)
        case .boolean(let flag): append(WireTag.boolean, integer: flag ? 1 : 0)
        case .integer(let number): append(WireTag.integer, integer: number)
        case .double(let number): append(WireTag.double, double: number)
        case .timestamp(let time): append(WireTag.timestamp, time: time.truncatedToMicroseconds)
        case .string(let text): append(WireTag.string, text: text)
        case .bytes(let content): append(WireTag.bytes, content: content)
        case .reference(let reference): append(WireTag.reference, nameOf: reference.path, in: reference.database)
        case .geoPoint(let point): append(point)
        case .array(let elements): append(elements)
        case .vector(let elements): append(vector: elements)
        case .map(let fields): append(WireTag.map) { $0.append(WireTag.member, fields: fields) }
        }
    }

    /// Appends a document's full name.
    package mutating func append(_ tag: UInt64, nameOf path: DocumentPath, in database: DatabaseID) {
        let literals: (StaticString, StaticString, StaticString) = ("projects/", "/databases/", "/documents")
        let literalByteCount =
            literals.0.utf8CodeUnitCount + literals.1.utf8CodeUnitCount + literals.2.utf8CodeUnitCount
        let ownByteCount = path.segments.reduce(0) { $0 + 1 + $1.utf8.count }
        append(varint: tag)
        append(
            varint: UInt64(
                literalByteCount + database.project.utf8.count + database.database.utf8.count + ownByteCount
            )
        )
        append(bytesOf: literals.0)
        append(bytesOf: database.project)
        append(bytesOf: literals.1)
        append(bytesOf: database.database)
        append(bytesOf: literals.2)
        for segment in path.segments {
            append(byte: UInt8(ascii: "/"))
            append(bytesOf: segment)
        }
    }

    // Parts that are zero are left out, as protocol buffers do.

    package mutating func append(_ tag: UInt64, time: Timestamp) {
        append(tag) { message in
            if time.seconds != 0 { message.append(WireTag.seconds, integer: time.seconds) }
            if time.nanoseconds != 0 { message.append(WireTag.nanoseconds, integer: Int64(time.nanoseconds)) }
        }
    }

    package mutating func append(_ point: GeoPoint) {
        append(WireTag.geoPoint) { message in
            if point.latitude.bitPattern != 0 { message.append(WireTag.latitude, double: point.latitude) }
            if point.longitude.bitPattern != 0 { message.append(WireTag.longitude, double: point.longitude) }
        }
    }

    private mutating func append(_ elements: [Value]) {
        append(WireTag.array) { array in
            for element in elements {
                array.append(WireTag.member) { $0.append(element) }
            }
        }
    }

    private mutating func append(vector elements: [Double]) {
        append(WireTag.map) { map in
            map.append(WireTag.member, name: VectorMap.typeName) { $0.append(.string(VectorMap.type)) }
            map.append(WireTag.member, name: VectorMap.valueName) { $0.append(elements.map { .double($0) }) }
        }
    }
}
