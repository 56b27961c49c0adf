// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Writes protocol-buffer fields.
package struct WireWriter {
    package private(set) var bytes: [UInt8] = []

    /// The capacity is a guess that spares growing step by step.
    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func append(varint number: UInt64) {
        guard number >= 0x80 else { return bytes.append(UInt8(number)) }
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    package mutating func append(_ tag: UInt64, integer: Int64) {
        append(varint: tag)
        append(varint: UInt64(bitPattern: integer))
    }

    package mutating func append(_ tag: UInt64, double: Double) {
        append(varint: tag)
        // One NaN for all, so that equal values have equal bytes.
        let bits = double.isNaN ? Double.nan.bitPattern : double.bitPattern
        withUnsafeBytes(of: bits.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ tag: UInt64, text: String) {
        append(varint: tag)
        append(varint: UInt64(text.utf8.count))
        append(bytesOf: text)
    }

    /// Appends bytes as they are: fields, or a part of a field's content.
    package mutating func append(encoded fields: [UInt8]) {
        bytes.append(contentsOf: fields)
    }

    /// Appends a part of a text's content.
    package mutating func append(bytesOf text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    package mutating func append(bytesOf literal: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    package mutating func append(byte: UInt8) {
        bytes.append(byte)
    }

    package mutating func append(_ tag: UInt64, content: some Collection<UInt8>) {
        append(varint: tag)
        append(varint: UInt64(content.count))
        bytes.append(contentsOf: content)
    }

    /// Replaces what was written from a place on.
    mutating func replaceLast(from start: Int, with other: WireWriter) {
        bytes.replaceSubrange(start..., with: other.bytes)
    }

    /// Appends a message, whose length is known only once it is written.
    package mutating func append(_ tag: UInt64, message write: (inout WireWriter) throws -> Void) rethrows {
        append(varint: tag)
        let start = bytes.count
        bytes.append(0)
        try write(&self)
        let length = bytes.count - start - 1
        guard length >= 0x80 else {
            bytes[start] = UInt8(length)
            return
        }
        let prefixByteCount = (Int.bitWidth - length.leadingZeroBitCount + 6) / 7
        bytes.insert(contentsOf: repeatElement(0x80, count: prefixByteCount - 1), at: start)
        for index in 0..<prefixByteCount {
            bytes[start + index] |= UInt8(length >> (7 * index) & 0x7F)
        }
    }
}
