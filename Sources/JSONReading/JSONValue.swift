// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A JSON value as logs and requests hold it.
///
/// Numbers that are no 64-bit integers keep their text, so that reading and writing them changes nothing.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number with a fraction or an exponent, or an integer beyond 64 bits, as it was written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The value of an object's key; `nil` for an absent key and for a value that is not an object.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let fields) = self else { return nil }
        return fields[key]
    }

    /// The text of a string; `nil` for other values.
    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value of an integer; `nil` for other values.
    package var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The elements of an array; `nil` for other values.
    package var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}
