// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A strict RFC 8259 parser that also refuses duplicate keys and too deep nesting.
///
/// Written by hand because Foundation's parsers turn large integers into doubles and cannot say where they stopped.
struct JSONParser {
    /// Arrays and objects inside each other; deeper text is refused rather than risking the stack.
    static let depthMax = 64

    let text: [UInt8]
    var position = 0
    private var depth = 0
    /// Where each value begins; `nil` where it is not needed.
    private(set) var places: JSONPlaces?
    /// Whether the last value of a repeated key counts, instead of an error.
    private let allowsRepeatedKeys: Bool

    init(_ text: [UInt8], isLocating: Bool = false, allowsRepeatedKeys: Bool = false) {
        self.text = text
        self.allowsRepeatedKeys = allowsRepeatedKeys
        if isLocating { places = JSONPlaces() }
    }

    /// Parses the whole text as one value.
    mutating func parse() throws(JSONError) -> JSONValue {
        try checkUTF8()
        skipWhitespace()
        let result = try value()
        skipWhitespace()
        guard position == text.count else { throw error("expected the end") }
        return result
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        places?.begin(at: position)
        guard let first = peek() else { throw error("expected a value, found the end") }
        switch first {
        case UInt8(ascii: "{"): return try nested { (parser) throws(JSONError) in .object(try parser.object()) }
        case UInt8(ascii: "["): return try nested { (parser) throws(JSONError) in .array(try parser.array()) }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", as: .bool(true))
        case UInt8(ascii: "f"): return try literal("false", as: .bool(false))
        case UInt8(ascii: "n"): return try literal("null", as: .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error("expected a value")
        }
    }

    private mutating func nested(
        _ body: (inout Self) throws(JSONError) -> JSONValue
    ) throws(JSONError) -> JSONValue {
        guard depth < Self.depthMax else { throw error("more than \(Self.depthMax) levels of nesting") }
        depth += 1
        let result = try body(&self)
        depth -= 1
        return result
    }

    private mutating func object() throws(JSONError) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        position += 1
        skipWhitespace()
        if take("}") { return fields }
        repeat {
            skipWhitespace()
            guard peek() == UInt8(ascii: "\"") else { throw error("expected a key") }
            let key = try string()
            guard allowsRepeatedKeys || fields[key] == nil else { throw error("a key occurs twice") }
            skipWhitespace()
            guard take(":") else { throw error("expected ':'") }
            skipWhitespace()
            places?.enter(key)
            fields[key] = try value()
            places?.leave()
            skipWhitespace()
        } while take(",")
        guard take("}") else { throw error("expected ',' or '}'") }
        return fields
    }

    private mutating func array() throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        position += 1
        skipWhitespace()
        if take("]") { return elements }
        repeat {
            skipWhitespace()
            places?.enter(String(elements.count))
            elements.append(try value())
            places?.leave()
            skipWhitespace()
        } while take(",")
        guard take("]") else { throw error("expected ',' or ']'") }
        return elements
    }

    private mutating func literal(_ word: StaticString, as value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in word.description.utf8 {
            guard peek() == byte else { throw error("expected \(word)") }
            position += 1
        }
        return value
    }
}

extension JSONValue {
    /// Parses UTF-8 text that holds exactly one JSON value.
    package init(parsing text: [UInt8]) throws(JSONError) {
        try self.init(parsing: text, allowsRepeatedKeys: false)
    }

    /// Parses UTF-8 text that holds exactly one JSON value.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - allowsRepeatedKeys: Whether the last value of a key that an object has twice counts, as in JavaScript; without
    ///     it such a text is refused.
    /// - Throws: `JSONError`.
    package init(parsing text: [UInt8], allowsRepeatedKeys: Bool) throws(JSONError) {
        var parser = JSONParser(text, allowsRepeatedKeys: allowsRepeatedKeys)
        self = try parser.parse()
    }
}
