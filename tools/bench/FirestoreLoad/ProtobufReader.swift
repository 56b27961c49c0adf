// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads the fields of one protobuf message in the order in which they were sent.
struct ProtobufReader {
    enum Value {
        case integer(UInt64)
        case fixed
        case data(UnsafeRawBufferPointer)
    }

    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes
    }

    /// The next field; `nil` at the end.
    mutating func next() throws(LoadError) -> (field: Int, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let tag = try varint()
        let field = Int(tag >> 3)
        switch tag & 7 {
        case 0: return (field, .integer(try varint()))
        case 1: return (field, try skip(8))
        case 2: return (field, .data(try take(Int(clamping: try varint()))))
        case 5: return (field, try skip(4))
        default: throw .unexpected("a protobuf field of unknown wire type")
        }
    }

    private mutating func skip(_ count: Int) throws(LoadError) -> Value {
        _ = try take(count)
        return .fixed
    }

    private mutating func take(_ count: Int) throws(LoadError) -> UnsafeRawBufferPointer {
        guard count <= rest.count else { throw .unexpected("a protobuf field longer than its message") }
        let taken = UnsafeRawBufferPointer(rebasing: rest[..<(rest.startIndex + count)])
        rest = UnsafeRawBufferPointer(rebasing: rest[(rest.startIndex + count)...])
        return taken
    }

    private mutating func varint() throws(LoadError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for (index, byte) in rest.enumerated() {
            guard shift < 64 else { break }
            value |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[(index + 1)...])
                return value
            }
        }
        throw .unexpected("a broken protobuf integer")
    }
}

extension ProtobufReader {
    /// The last value of a field that holds bytes; `nil` where the message has none.
    static func data(_ field: Int, of message: UnsafeRawBufferPointer) throws(LoadError) -> UnsafeRawBufferPointer? {
        var reader = ProtobufReader(message)
        var found: UnsafeRawBufferPointer?
        while let (number, value) = try reader.next() {
            if number == field, case .data(let bytes) = value { found = bytes }
        }
        return found
    }

    /// How often a field occurs.
    static func count(_ field: Int, of message: UnsafeRawBufferPointer) throws(LoadError) -> Int {
        var reader = ProtobufReader(message)
        var count = 0
        while let (number, _) = try reader.next() {
            if number == field { count += 1 }
        }
        return count
    }

    /// The nanoseconds since 1970 of a `google.protobuf.Timestamp`.
    static func timestamp(_ message: UnsafeRawBufferPointer) throws(LoadError) -> Int {
        var reader = ProtobufReader(message)
        var nanoseconds = 0
        while let (number, value) = try reader.next() {
            guard case .integer(let integer) = value else { continue }
            nanoseconds += Int(clamping: integer) * (number == 1 ? 1_000_000_000 : 1)
        }
        return nanoseconds
    }
}
