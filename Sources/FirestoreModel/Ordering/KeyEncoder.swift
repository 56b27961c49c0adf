// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Writes keys: the one place that knows the order of values.
///
///     key      tag body            the body of null and NaN is empty
///     string   escaped bytes 00 01 a zero byte within is 00 FF
///     array    elements 00         every tag is above 00
///     map      (01 name value)… 00 by name
///     path     segment… 00         numeric ids 01, others 02
package struct KeyEncoder {
    private(set) var bytes: [UInt8] = []

    /// The capacity is a guess that spares growing step by step.
    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    package var key: OrderedKey { OrderedKey(bytes) }

    /// Appends a value's key; descending, its complement, which sorts the other way round.
    package mutating func append(_ value: Value, in direction: Query.Direction) {
        let start = bytes.count
        append(value)
        guard direction == .descending else { return }
        for index in start..<bytes.count {
            bytes[index] = ~bytes[index]
        }
    }

    package mutating func append(_ value: Value) {
        append(byte: value.tag.rawValue)
        switch value {
        case .null: break
        case .boolean(let flag): append(byte: flag ? 1 : 0)
        case .integer(let number): append(number)
        case .double(let number): append(number)
        case .timestamp(let time): appendBigEndian(time.microseconds.orderedBits)
        case .string(let text): append(text)
        case .bytes(let content): content.withUnsafeBytes { append(escaping: $0) }
        case .reference(let reference): append(reference)
        case .geoPoint(let point):
            appendBigEndian(point.latitude.orderedBits)
            appendBigEndian(point.longitude.orderedBits)
        case .array(let elements): append(elements)
        case .vector(let elements): append(elements)
        case .map(let fields):
            if let form = BSONForm(fields) { append(form) } else { append(fields) }
        }
    }

    package mutating func append(byte: UInt8) {
        bytes.append(byte)
    }

    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(escaping: UnsafeRawBufferPointer($0)) }
    }

    package mutating func append(escaping content: UnsafeRawBufferPointer) {
        var rest = content
        while let zero = rest.firstPlace(of: 0) {
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: rest[...zero]))
            bytes.append(0xFF)
            rest = UnsafeRawBufferPointer(rebasing: rest[(zero + 1)...])
        }
        bytes.append(contentsOf: rest)
        bytes.append(0)
        bytes.append(1)
    }

    /// Appends what is a key already.
    package mutating func append(raw key: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: key)
    }

    private mutating func append(_ elements: [Value]) {
        for element in elements {
            append(element)
        }
        append(byte: 0)
    }

    /// Shorter vectors first.
    private mutating func append(_ elements: [Double]) {
        appendBigEndian(UInt64(elements.count))
        for element in elements {
            appendBigEndian(element.orderedBits)
        }
    }

    private mutating func append(_ fields: [String: Value]) {
        for (name, value) in fields.sortedByName {
            append(byte: 1)
            append(name)
            append(value)
        }
        append(byte: 0)
    }

    mutating func appendBigEndian(_ bits: UInt64) {
        withUnsafeBytes(of: bits.bigEndian) { bytes.append(contentsOf: $0) }
    }
}

extension OrderedKey {
    package init(_ value: Value) {
        var encoder = KeyEncoder()
        encoder.append(value)
        self = encoder.key
    }
}

extension KeyEncoder {
    package mutating func append(_ reference: DocumentReference) {
        append(reference.database)
        appendSegments(of: reference.path)
        append(byte: 0)
    }

    package mutating func append(_ database: DatabaseID) {
        append(database.project)
        append(database.database)
    }

    /// Appends the segments, without the end: what the keys of the document and of all below it begin with.
    mutating func appendSegments(of path: DocumentPath) {
        for (index, segment) in path.segments.enumerated() {
            append(segment: segment, isDocument: !index.isMultiple(of: 2))
        }
    }

    mutating func appendSegments(of path: CollectionPath) {
        for (index, segment) in path.segments.enumerated() {
            append(segment: segment, isDocument: !index.isMultiple(of: 2))
        }
    }

    package mutating func append(segment: String, isDocument: Bool) {
        if isDocument, let number = ResourceID.numericValue(of: segment) {
            append(byte: PathTag.number)
            appendBigEndian(number.orderedBits)
        } else {
            append(byte: PathTag.string)
            append(segment)
        }
    }
}

/// The first byte of a path segment; the end of a path is 0.
package enum PathTag {
    package static let number: UInt8 = 1
    package static let string: UInt8 = 2
}

extension OrderedKey {
    /// A document's place among all documents of its database.
    package init(_ path: DocumentPath) {
        var encoder = KeyEncoder()
        encoder.appendSegments(of: path)
        encoder.append(byte: 0)
        self = encoder.key
    }

    /// The key prefix of a document and of all below it; the empty key for the root.
    package init(segmentsOf path: DocumentPath?) {
        var encoder = KeyEncoder()
        if let path {
            encoder.appendSegments(of: path)
        }
        self = encoder.key
    }

    /// The key prefix of all documents in a collection and below.
    package init(_ path: CollectionPath) {
        var encoder = KeyEncoder()
        encoder.appendSegments(of: path)
        self = encoder.key
    }
}
