// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Finds where each of several keys, one after the other, ends.
///
/// Follows `KeyEncoder`'s forms; a descending key is read through its complement.
package struct KeySplitter {
    private let bytes: [UInt8]
    private var position = 0
    private var mask: UInt8 = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Takes the next value's key, as it is in the bytes.
    package mutating func nextKey(_ direction: Query.Direction = .ascending) throws -> OrderedKey {
        mask = direction == .ascending ? 0 : 0xFF
        let start = position
        try skipValue()
        return OrderedKey(Array(bytes[start..<position]))
    }

    /// The rest.
    package var rest: OrderedKey { OrderedKey(Array(bytes[position...])) }

    private mutating func skipValue() throws {
        switch ValueTag(rawValue: try nextByte()) {
        case .null, .notANumber, .minKey, .maxKey: break
        case .boolean: try skip(1)
        case .number: try skipNumber()
        case .timestamp: try skip(8)
        case .string, .bytes, .bsonBinary, .objectID: try skipText()
        case .regex:
            try skipText()
            try skipText()
        case .reference: try skipReference()
        case .geoPoint, .bsonTimestamp: try skip(16)
        case .array: try skipMembers { try $0.skipValue() }
        case .vector: try skipVector()
        case .map:
            try skipMembers { splitter in
                try splitter.skip(1)
                try splitter.skipText()
                try splitter.skipValue()
            }
        case nil: throw Self.damaged
        }
    }

    /// A double, then the distance from it: none, or a power of ten and digits.
    private mutating func skipNumber() throws {
        try skip(8)
        guard try nextByte() != 0 else { return }
        try skip(2)
        while try nextByte() != 0 {}
    }

    /// Up to a zero byte that no 0xFF follows.
    private mutating func skipText() throws {
        while true {
            guard try nextByte() == 0 else { continue }
            if try nextByte() != 0xFF { return }
        }
    }

    private mutating func skipReference() throws {
        try skipText()
        try skipText()
        while true {
            switch try nextByte() {
            case 0: return
            case PathTag.number: try skip(8)
            default: try skipText()
            }
        }
    }

    private mutating func skipVector() throws {
        var count: UInt64 = 0
        for _ in 0..<8 {
            count = count << 8 | UInt64(try nextByte())
        }
        guard count <= UInt64(bytes.count) else { throw Self.damaged }
        try skip(8 * Int(count))
    }

    private mutating func skipMembers(_ skipMember: (inout KeySplitter) throws -> Void) throws {
        while position < bytes.count, bytes[position] ^ mask != 0 {
            try skipMember(&self)
        }
        try skip(1)
    }

    private mutating func nextByte() throws -> UInt8 {
        guard position < bytes.count else { throw Self.damaged }
        defer { position += 1 }
        return bytes[position] ^ mask
    }

    private mutating func skip(_ count: Int) throws {
        guard count <= bytes.count - position else { throw Self.damaged }
        position += count
    }

    private static var damaged: FirestoreError { .corrupted("an index entry") }
}
