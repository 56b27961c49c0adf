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

    /// The value of a boolean; `nil` for other values.
    package var boolean: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements of an array; `nil` for other values.
    package var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}

extension JSONValue {
    /// The value as compact UTF-8 text, the keys of every object in order.
    package var encoded: [UInt8] {
        var text: [UInt8] = []
        write(to: &text)
        return text
    }

    package func write(to text: inout [UInt8]) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let isTrue): text += (isTrue ? "true" : "false").utf8
        case .integer(let number): text += String(number).utf8
        case .number(let digits): text += digits.utf8
        case .string(let string): text.appendJSON(string)
        case .array(let elements): Self.write(elements, to: &text)
        case .object(let fields): Self.write(fields.sorted { $0.key < $1.key }, to: &text)
        }
    }

    /// Writes an object with its keys in the order given.
    package static func write(_ fields: [(key: String, value: JSONValue)], to text: inout [UInt8]) {
        text.append(UInt8(ascii: "{"))
        for (position, field) in fields.enumerated() {
            if position > 0 { text.append(UInt8(ascii: ",")) }
            text.appendJSON(field.key)
            text.append(UInt8(ascii: ":"))
            field.value.write(to: &text)
        }
        text.append(UInt8(ascii: "}"))
    }

    private static func write(_ elements: [JSONValue], to text: inout [UInt8]) {
        text.append(UInt8(ascii: "["))
        for (position, element) in elements.enumerated() {
            if position > 0 { text.append(UInt8(ascii: ",")) }
            element.write(to: &text)
        }
        text.append(UInt8(ascii: "]"))
    }
}

/// Why bytes are no JSON value; names the place, never the text found there.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, such as `expected ':'`.
    package let message: String
    /// The place of the first wrong byte, counted from 1.
    package let column: Int

    package var description: String { "column \(column): \(message)" }
}

/// Where the values of a JSON text begin.
struct JSONPlaces: Sendable {
    private var path: [String] = []
    private var offsets: [[String]: Int] = [:]

    mutating func enter(_ name: String) { path.append(name) }
    mutating func leave() { path.removeLast() }
    mutating func begin(at offset: Int) { offsets[path] = offset }

    /// Where the value at the end of a path begins: keys of objects, and the numbers of elements of arrays.
    func offset(of path: [String]) -> Int? { offsets[path] }
}
