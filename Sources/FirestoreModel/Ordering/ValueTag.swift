// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The first byte of a value's key: the order of the types.
///
/// Source, also for the types of BSON: `TypeOrder` in `order.py` of google-cloud-firestore 2.34.1 (2026).
package enum ValueTag: UInt8 {
    case null = 0x10
    case minKey = 0x18
    case boolean = 0x20
    /// Below all numbers, and in a class of its own: no range of numbers includes it.
    case notANumber = 0x2F
    case number = 0x30
    case timestamp = 0x40
    case bsonTimestamp = 0x48
    case string = 0x50
    case bytes = 0x60
    case bsonBinary = 0x68
    case reference = 0x70
    case objectID = 0x78
    case geoPoint = 0x80
    case regex = 0x88
    case array = 0x90
    case vector = 0xA0
    case map = 0xB0
    case maxKey = 0xF0
}

extension Value {
    package var tag: ValueTag {
        switch self {
        case .null: .null
        case .boolean: .boolean
        case .integer: .number
        case .double(let number): number.isNaN ? .notANumber : .number
        case .timestamp: .timestamp
        case .string: .string
        case .bytes: .bytes
        case .reference: .reference
        case .geoPoint: .geoPoint
        case .array: .array
        case .vector: .vector
        case .map(let fields): BSONForm(fields)?.tag ?? .map
        }
    }
}

extension OrderedKey {
    /// The beginning of all keys of a type.
    package init(_ tag: ValueTag) {
        self.init([tag.rawValue])
    }

    package var tag: ValueTag? { bytes.first.flatMap(ValueTag.init(rawValue:)) }
}
