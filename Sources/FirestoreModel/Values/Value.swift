// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A field's value.
///
/// `==` is true where two values are stored alike: `1` is not `1.0`, NaN equals itself, and strings compare
/// by their bytes. Queries ask `KeyEncoder` instead, where `1` and `1.0` are equal.
package enum Value: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case timestamp(Timestamp)
    case string(String)
    case bytes([UInt8])
    case reference(DocumentReference)
    case geoPoint(GeoPoint)
    case array([Value])
    /// On the wire a map of `__type__: "__vector__"` and `value`, an array of doubles.
    case vector([Double])
    case map([String: Value])
}

extension Value: Equatable {
    package static func == (lhs: Value, rhs: Value) -> Bool {
        switch (lhs, rhs) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left.isStoredLike(right)
        case (.timestamp(let left), .timestamp(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.bytes(let left), .bytes(let right)): left == right
        case (.reference(let left), .reference(let right)): left == right
        case (.geoPoint(let left), .geoPoint(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.vector(let left), .vector(let right)): left.elementsEqual(right) { $0.isStoredLike($1) }
        case (.map(let left), .map(let right)): left == right
        // Not a default, which would make two values of a new type unequal.
        case (.null, _), (.boolean, _), (.integer, _), (.double, _), (.timestamp, _), (.string, _), (.bytes, _),
            (.reference, _), (.geoPoint, _), (.array, _), (.vector, _), (.map, _):
            false
        }
    }
}

extension Value {
    /// The elements of an array; `nil` for anything else, vectors too.
    package var arrayElements: [Value]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}

extension Double {
    fileprivate func isStoredLike(_ other: Double) -> Bool {
        bitPattern == other.bitPattern || (isNaN && other.isNaN)
    }
}
