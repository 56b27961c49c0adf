// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The first byte of a stored value.
enum StoredTag: UInt8 {
    case null = 0
    case `false` = 1
    case `true` = 2
    case integer = 3
    case double = 4
    case timestamp = 5
    case string = 6
    case bytes = 7
    case reference = 8
    case geoPoint = 9
    case array = 10
    case vector = 11
    case map = 12
}

extension Value {
    var storedTag: StoredTag {
        switch self {
        case .null: .null
        case .boolean(let flag): flag ? .true : .false
        case .integer: .integer
        case .double: .double
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
