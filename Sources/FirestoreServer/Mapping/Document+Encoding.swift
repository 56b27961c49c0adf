// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

extension Document {
    /// The document as a `google.firestore.v1.Document` in the wire format: 1 the name, 2 the fields, 3 and 4 the times.
    func encoded(in database: DatabaseID) -> [UInt8] {
        let name = DocumentReference(database: database, path: path).name
        var bytes: [UInt8] = []
        bytes.reserveCapacity(name.utf8.count + encodedFields.bytes.count + 40)
        bytes.appendField(1, byteCount: name.utf8.count)
        bytes += name.utf8
        bytes += encodedFields.bytes
        bytes.appendTime(3, createTime)
        bytes.appendTime(4, updateTime)
        return bytes
    }
}

extension [UInt8] {
    /// Begins a field of some bytes, which are to follow.
    mutating func appendField(_ number: UInt8, byteCount: Int) {
        append(number << 3 | 2)
        appendVarint(UInt64(byteCount))
    }

    /// Appends a `google.protobuf.Timestamp`: 1 the seconds, 2 the nanoseconds, each left out when zero.
    fileprivate mutating func appendTime(_ number: UInt8, _ time: Timestamp) {
        var message: [UInt8] = []
        if time.seconds != 0 {
            message.append(1 << 3)
            message.appendVarint(UInt64(bitPattern: time.seconds))
        }
        if time.nanoseconds != 0 {
            message.append(2 << 3)
            message.appendVarint(UInt64(bitPattern: Int64(time.nanoseconds)))
        }
        appendField(number, byteCount: message.count)
        self += message
    }

    private mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
