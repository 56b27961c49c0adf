// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The bytes of one protobuf message, written field by field.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func integer(_ field: Int, _ value: Int) {
        tag(field, wireType: 0)
        varint(UInt64(bitPattern: Int64(value)))
    }

    mutating func double(_ field: Int, _ value: Double) {
        tag(field, wireType: 1)
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func string(_ field: Int, _ value: String) {
        data(field, value.utf8)
    }

    mutating func data(_ field: Int, _ value: some Collection<UInt8>) {
        tag(field, wireType: 2)
        varint(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func message(_ field: Int, _ write: (inout ProtobufWriter) -> Void) {
        var inner = ProtobufWriter()
        write(&inner)
        data(field, inner.bytes)
    }

    private mutating func tag(_ field: Int, wireType: Int) {
        varint(UInt64(field << 3 | wireType))
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

extension [UInt8] {
    /// A whole message.
    static func protobuf(_ write: (inout ProtobufWriter) -> Void) -> [UInt8] {
        var writer = ProtobufWriter()
        write(&writer)
        return writer.bytes
    }
}
