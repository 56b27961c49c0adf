// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The first byte of a value's key: the order of the types.
///
/// Gaps leave room for the BSON types of the enterprise edition. Source: facts, §4 (2026-11).
enum ValueTag: UInt8 {
    case null = 0x10
    case boolean = 0x20
    /// Below all numbers, and in a class of its own: no range of numbers includes it.
    case notANumber = 0x2F
    case number = 0x30
    case timestamp = 0x40
    case string = 0x50
    case bytes = 0x60
    case reference = 0x70
    case geoPoint = 0x80
    case array = 0x90
    case vector = 0xA0
    case map = 0xB0
}

extension Value {
    var tag: ValueTag {
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
        case .map: .map
        }
    }
}

extension OrderedKey {
    /// The beginning of all keys of a type.
    init(_ tag: ValueTag) {
        self.init([tag.rawValue])
    }

    var tag: ValueTag? { bytes.first.flatMap(ValueTag.init(rawValue:)) }
}
