// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads the fields that `FieldsEncoder` wrote.
///
/// Trusts no count: damaged bytes throw, they do not trap.
struct FieldsDecoder {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    static func decode(_ bytes: [UInt8]) throws -> [String: Value] {
        var decoder = FieldsDecoder(bytes)
        let fields = try decoder.nextFields()
        guard decoder.isAtEnd else { throw DocumentStoreError.corrupted("a document") }
        return fields
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func nextFields() throws -> [String: Value] {
        let count = try nextCount()
        var fields = [String: Value](minimumCapacity: count)
        for _ in 0..<count {
            let name = try nextString()
            fields[name] = try nextValue()
        }
        return fields
    }

    mutating func nextValue() throws -> Value {
        switch StoredTag(rawValue: try nextByte()) {
        case .null: .null
        case .false: .boolean(false)
        case .true: .boolean(true)
        case .integer: .integer(try nextInteger())
        case .double: .double(try nextDouble())
        case .timestamp: .timestamp(Timestamp(microseconds: try nextInteger()))
        case .string: .string(try nextString())
        case .bytes: .bytes(Array(try nextSlice(try nextCount())))
        case .reference: .reference(try nextReference())
        case .geoPoint: .geoPoint(GeoPoint(latitude: try nextDouble(), longitude: try nextDouble()))
        case .array: .array(try nextElements { try $0.nextValue() })
        case .vector: .vector(try nextElements { try $0.nextDouble() })
        case .map: .map(try nextFields())
        case nil: throw DocumentStoreError.corrupted("a value")
        }
    }

    private mutating func nextElements<Element>(
        _ next: (inout FieldsDecoder) throws -> Element
    ) throws -> [Element] {
        let count = try nextCount()
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count {
            elements.append(try next(&self))
        }
        return elements
    }

    private mutating func nextReference() throws -> DocumentReference {
        let database = DatabaseID(project: try nextString(), database: try nextString())
        let segments = try nextElements { try $0.nextString() }
        guard !segments.isEmpty, segments.count.isMultiple(of: 2) else {
            throw DocumentStoreError.corrupted("a reference")
        }
        return DocumentReference(database: database, path: DocumentPath(validated: segments))
    }

    private mutating func nextString() throws -> String {
        String(decoding: try nextSlice(try nextCount()), as: UTF8.self)
    }

    private mutating func nextInteger() throws -> Int64 {
        let zigzag = try nextVarint()
        return Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
    }

    private mutating func nextDouble() throws -> Double {
        let bits = try nextSlice(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(bitPattern: bits)
    }

    /// A count of things of which each takes at least a byte.
    private mutating func nextCount() throws -> Int {
        let count = try nextVarint()
        guard count <= UInt64(bytes.count - position) else { throw DocumentStoreError.corrupted("a document") }
        return Int(count)
    }

    private mutating func nextVarint() throws -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try nextByte()
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw DocumentStoreError.corrupted("a number")
    }

    private mutating func nextByte() throws -> UInt8 {
        guard position < bytes.count else { throw DocumentStoreError.corrupted("a document") }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func nextSlice(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw DocumentStoreError.corrupted("a document") }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
