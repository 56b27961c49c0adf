// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads the fields that `FieldsEncoder` wrote.
package enum FieldsDecoder {
    /// Far more than documents may nest; damaged bytes must not exhaust the stack.
    private static let depthMax = 4 * DocumentLimits.depthMax

    package static func decode(_ bytes: [UInt8]) throws -> [String: Value] {
        try bytes.withUnsafeBytes { content in
            try WireReader(content).fields(tagged: WireTag.documentField, depth: depthMax)
        }
    }

    /// The value at a path, reading nothing beside the way to it; `nil` when a field is missing or no map.
    package static func value(at path: FieldPath, in content: UnsafeRawBufferPointer) throws -> Value? {
        var tag = WireTag.documentField
        var reader = WireReader(content)
        for segment in path.segments.dropLast() {
            guard let value = try reader.content(named: segment, tagged: tag),
                let map = try WireReader(value).map(), try !map.isVector
            else { return nil }
            tag = WireTag.member
            reader = map
        }
        let last = path.segments[path.segments.count - 1]
        return try reader.content(named: last, tagged: tag).map { try WireReader($0).value(depth: depthMax) }
    }

    /// The value of a document's field, reading nothing beside it; `nil` when it is missing.
    static func value(named name: String, in content: UnsafeRawBufferPointer) throws -> Value? {
        var reader = WireReader(content)
        return try reader.content(named: name, tagged: WireTag.documentField)
            .map { try WireReader($0).value(depth: depthMax) }
    }

    /// The value whose bytes these are.
    static func value(in bytes: UnsafeRawBufferPointer) throws -> Value {
        try WireReader(bytes).value(depth: depthMax)
    }
}

extension WireReader {
    /// The bytes of a field's value.
    fileprivate mutating func content(named name: String, tagged tag: UInt64) throws -> UnsafeRawBufferPointer? {
        var name = name
        return try name.withUTF8 { try content(of: UnsafeRawBufferPointer($0), tagged: tag) }
    }

    /// The bytes of a field's value.
    mutating func content(of name: UnsafeRawBufferPointer, tagged tag: UInt64) throws -> UnsafeRawBufferPointer? {
        while let next = try nextTag() {
            guard next == tag else {
                try skip(next)
                continue
            }
            let content = try nextContent()
            if Self.beginsWithKey(content, other: name) { continue }
            let entry = try WireReader(content).entry()
            if entry.name.hasSameBytes(as: name) { return entry.value }
        }
        return nil
    }

    /// Whether an entry begins with a key of another length or other bytes, as `FieldsEncoder` writes them: most need no closer look.
    private static func beginsWithKey(_ entry: UnsafeRawBufferPointer, other name: UnsafeRawBufferPointer) -> Bool {
        guard entry.count > 2, entry[0] == UInt8(WireTag.key), entry[1] < 0x80, entry.count > Int(entry[1]) + 2 else {
            return false
        }
        let key = UnsafeRawBufferPointer(rebasing: entry[2..<(2 + Int(entry[1]))])
        return !key.hasSameBytes(as: name)
    }

    /// A value's fields, if it is a map.
    fileprivate consuming func map() throws -> WireReader? {
        guard try nextTag() == WireTag.map else { return nil }
        return WireReader(try nextContent())
    }

    /// Whether a map stands for a vector.
    fileprivate var isVector: Bool {
        get throws {
            var copy = self
            guard let content = try copy.content(named: VectorMap.typeName, tagged: WireTag.member) else {
                return false
            }
            return try WireReader(content).value(depth: 0) == .string(VectorMap.type)
        }
    }

    /// A map's entry: its name and the bytes of its value.
    fileprivate consuming func entry() throws -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        var name = UnsafeRawBufferPointer(start: nil, count: 0)
        var value = name
        while let tag = try nextTag() {
            switch tag {
            case WireTag.key: name = try nextContent()
            case WireTag.value: value = try nextContent()
            default: try skip(tag)
            }
        }
        return (name, value)
    }

    fileprivate consuming func fields(tagged wanted: UInt64, depth: Int) throws -> [String: Value] {
        var fields: [String: Value] = [:]
        while let tag = try nextTag() {
            guard tag == wanted else {
                try skip(tag)
                continue
            }
            let entry = try WireReader(try nextContent()).entry()
            fields[String(decoding: entry.name, as: UTF8.self)] = try WireReader(entry.value).value(depth: depth)
        }
        return fields
    }

    fileprivate consuming func value(depth: Int) throws -> Value {
        switch try nextTag() {
        case WireTag.null: .null
        case WireTag.boolean: .boolean(try nextVarint() != 0)
        case WireTag.integer: .integer(try nextInteger())
        case WireTag.double: .double(try nextDouble())
        case WireTag.timestamp: .timestamp(try WireReader(try nextContent()).timestamp())
        case WireTag.string: .string(try nextText())
        case WireTag.bytes: .bytes(Array(try nextContent()))
        case WireTag.reference: .reference(try DocumentReference(stored: try nextText()))
        case WireTag.geoPoint: .geoPoint(try WireReader(try nextContent()).geoPoint())
        case WireTag.array: .array(try WireReader(try nextContent()).elements(depth: depth - 1))
        case WireTag.map: try WireReader(try nextContent()).mapValue(depth: depth - 1)
        default: throw FirestoreError.corrupted("a value")
        }
    }

    private consuming func mapValue(depth: Int) throws -> Value {
        guard depth >= 0 else { throw FirestoreError.corrupted("a value") }
        let fields = try fields(tagged: WireTag.member, depth: depth)
        guard fields[VectorMap.typeName] == .string(VectorMap.type) else { return .map(fields) }
        return .vector(
            (fields[VectorMap.valueName]?.arrayElements ?? []).compactMap { element in
                guard case .double(let number) = element else { return nil }
                return number
            }
        )
    }

    private consuming func elements(depth: Int) throws -> [Value] {
        guard depth >= 0 else { throw FirestoreError.corrupted("a value") }
        var elements: [Value] = []
        while let tag = try nextTag() {
            guard tag == WireTag.member else {
                try skip(tag)
                continue
            }
            elements.append(try WireReader(try nextContent()).value(depth: depth))
        }
        return elements
    }

    package consuming func timestamp() throws -> Timestamp {
        var seconds: Int64 = 0
        var nanoseconds: Int64 = 0
        while let tag = try nextTag() {
            switch tag {
            case WireTag.seconds: seconds = try nextInteger()
            case WireTag.nanoseconds: nanoseconds = try nextInteger()
            default: try skip(tag)
            }
        }
        return Timestamp(seconds: seconds, nanoseconds: Int32(truncatingIfNeeded: nanoseconds))
    }

    package consuming func geoPoint() throws -> GeoPoint {
        var point = GeoPoint(latitude: 0, longitude: 0)
        while let tag = try nextTag() {
            switch tag {
            case WireTag.latitude: point.latitude = try nextDouble()
            case WireTag.longitude: point.longitude = try nextDouble()
            default: try skip(tag)
            }
        }
        return point
    }
}

extension DocumentReference {
    /// Reads a full name that was valid when it was stored.
    fileprivate init(stored name: String) throws {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count > 5, !parts.count.isMultiple(of: 2) else { throw FirestoreError.corrupted("a reference") }
        let segments = parts.map { String(Substring($0)) }
        self.init(
            database: DatabaseID(project: segments[1], database: segments[3]),
            path: DocumentPath(validated: Array(segments[5...]))
        )
    }
}
