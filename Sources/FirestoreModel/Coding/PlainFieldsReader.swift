// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads received fields straight into the form in which they are stored, without making values of them.
///
/// The bytes it writes are those that `FieldsEncoder` writes of the same fields. It throws where it would have to judge.
struct PlainFieldsReader {
    private var output: WireWriter
    private var order = NameOrder()
    private var byteCount = 0

    package init(capacity: Int) {
        output = WireWriter(capacity: capacity)
    }

    /// Adds one of the document's fields.
    package mutating func add(_ entry: UnsafeRawBufferPointer) throws {
        byteCount += try Self.add(entry, tag: WireTag.documentField, to: &output, order: &order, at: Place())
    }

    package mutating func finish() throws -> PlainFields {
        if !order.isAscending { try output.sortEntries(from: 0) }
        return PlainFields(encoded: EncodedFields(stored: output.bytes), byteCount: byteCount)
    }

    /// How deep a value is, and how long the path to it.
    private struct Place {
        var depth = 0
        var pathByteCount = 0
    }

    private struct NotPlain: Error {}

    /// Adds an entry of a map or a document and returns its size.
    private static func add(
        _ content: UnsafeRawBufferPointer,
        tag: UInt64,
        to output: inout WireWriter,
        order: inout NameOrder,
        at place: Place
    ) throws -> Int {
        var entry = WireReader(content)
        guard try entry.nextTag() == WireTag.key else { throw NotPlain() }
        let name = try entry.nextContent()
        guard try entry.nextTag() == WireTag.value else { throw NotPlain() }
        let value = try entry.nextContent()
        let pathByteCount = place.pathByteCount + (place.depth == 0 ? 0 : 1) + name.count
        guard try entry.nextTag() == nil, isPlainName(name), pathByteCount <= FieldPath.byteCountMax else {
            throw NotPlain()
        }
        order.note(name)
        guard order.foreignCount < 2 else { throw NotPlain() }
        let inner = Place(depth: place.depth, pathByteCount: pathByteCount)
        var byteCount = name.count + 1
        try output.append(tag) { output in
            output.append(WireTag.key, content: name)
            try output.append(WireTag.value) { byteCount += try add(value, to: &$0, at: inner) }
        }
        return byteCount
    }

    /// Whether it is neither empty, nor too long, nor reserved.
    private static func isPlainName(_ name: UnsafeRawBufferPointer) -> Bool {
        guard (1...FieldPath.segmentByteCountMax).contains(name.count), name.isValidUTF8 else { return false }
        return !(name.count > 1 && name[0] == UInt8(ascii: "_") && name[1] == UInt8(ascii: "_"))
    }

    /// Adds a value and returns its size.
    private static func add(
        _ content: UnsafeRawBufferPointer,
        isElement: Bool = false,
        to output: inout WireWriter,
        at place: Place
    ) throws -> Int {
        var reader = WireReader(content)
        guard let tag = try reader.nextTag() else { throw NotPlain() }
        let byteCount: Int
        switch tag {
        case WireTag.string, WireTag.bytes:
            let content = try reader.nextContent()
            guard content.count <= DocumentLimits.valueByteCountMax, tag == WireTag.bytes || content.isValidUTF8 else {
                throw NotPlain()
            }
            output.append(tag, content: content)
            byteCount = content.count + (tag == WireTag.string ? 1 : 0)
        case WireTag.array:
            guard !isElement else { throw NotPlain() }
            byteCount = try addElements(try reader.nextContent(), to: &output, at: try deeper(place))
        case WireTag.map:
            byteCount = try addMembers(try reader.nextContent(), to: &output, at: try deeper(place))
        default:
            byteCount = try addScalar(tag, from: &reader, to: &output)
        }
        guard try reader.nextTag() == nil else { throw NotPlain() }
        return byteCount
    }

    private static func deeper(_ place: Place) throws -> Place {
        guard place.depth + 1 < DocumentLimits.depthMax else { throw NotPlain() }
        return Place(depth: place.depth + 1, pathByteCount: place.pathByteCount)
    }

    private static func addElements(
        _ content: UnsafeRawBufferPointer,
        to output: inout WireWriter,
        at place: Place
    ) throws -> Int {
        var elements = WireReader(content)
        var byteCount = 0
        try output.append(WireTag.array) { output in
            while let tag = try elements.nextTag() {
                guard tag == WireTag.member else { throw NotPlain() }
                let element = try elements.nextContent()
                try output.append(WireTag.member) { byteCount += try add(element, isElement: true, to: &$0, at: place) }
            }
        }
        return byteCount
    }

    private static func addMembers(
        _ content: UnsafeRawBufferPointer,
        to output: inout WireWriter,
        at place: Place
    ) throws -> Int {
        var members = WireReader(content)
        var byteCount = 0
        try output.append(WireTag.map) { output in
            let start = output.bytes.count
            var order = NameOrder()
            while let tag = try members.nextTag() {
                guard tag == WireTag.member else { throw NotPlain() }
                byteCount += try add(try members.nextContent(), tag: tag, to: &output, order: &order, at: place)
            }
            if !order.isAscending { try output.sortEntries(from: start) }
        }
        return byteCount
    }

    private static func addScalar(
        _ tag: UInt64,
        from reader: inout WireReader,
        to output: inout WireWriter
    ) throws -> Int {
        switch tag {
        case WireTag.null:
            _ = try reader.nextVarint()
            output.append(tag, integer: 0)
            return 1
        case WireTag.boolean:
            output.append(tag, integer: try reader.nextVarint() != 0 ? 1 : 0)
            return 1
        case WireTag.integer: output.append(tag, integer: try reader.nextInteger())
        case WireTag.double: output.append(tag, double: try reader.nextDouble())
        case WireTag.timestamp:
            let time = try WireReader(try reader.nextContent()).timestamp()
            guard time.isValid else { throw NotPlain() }
            output.append(tag, time: time.truncatedToMicroseconds)
        case WireTag.geoPoint:
            let point = try WireReader(try reader.nextContent()).geoPoint()
            try point.validate()
            output.append(point)
            return 16
        case WireTag.reference:
            let reference = try DocumentReference(parsing: try reader.nextValidText(), as: .parent)
            output.append(tag, nameOf: reference.path, in: reference.database)
            return DocumentSize.byteCount(of: reference.path)
        default: throw NotPlain()
        }
        return 8
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var isValidUTF8: Bool {
        if allSatisfy({ $0 < 0x80 }) { return true }
        return String(validUTF8: self) != nil
    }
}
