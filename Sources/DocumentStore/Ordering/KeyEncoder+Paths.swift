// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension KeyEncoder {
    mutating func append(_ reference: DocumentReference) {
        append(reference.database)
        appendSegments(of: reference.path)
        append(byte: 0)
    }

    mutating func append(_ database: DatabaseID) {
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

    mutating func append(segment: String, isDocument: Bool) {
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
enum PathTag {
    static let number: UInt8 = 1
    static let string: UInt8 = 2
}

extension OrderedKey {
    /// A document's place among all documents of its database.
    init(_ path: DocumentPath) {
        var encoder = KeyEncoder()
        encoder.appendSegments(of: path)
        encoder.append(byte: 0)
        self = encoder.key
    }

    /// The key prefix of a document and of all below it; the empty key for the root.
    init(segmentsOf path: DocumentPath?) {
        var encoder = KeyEncoder()
        if let path {
            encoder.appendSegments(of: path)
        }
        self = encoder.key
    }

    /// The key prefix of all documents in a collection and below.
    init(_ path: CollectionPath) {
        var encoder = KeyEncoder()
        encoder.appendSegments(of: path)
        self = encoder.key
    }
}
