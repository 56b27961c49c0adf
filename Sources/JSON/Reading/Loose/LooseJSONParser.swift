// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads JSON as loosely as Google's services do and refuses the rest in their words.
///
/// A comma may end a list, strings may be in single quotes and names without any. Source of the rules and texts: the
/// JSON parser that protobuf's C++ library had until 2022 (`json_stream_parser.cc`), and production's answers (recorded
/// 2026-09).
package struct LooseJSONParser {
    /// How deep arrays and objects may nest.
    package static let depthMax = 200

    let bytes: [UInt8]
    /// Whether a name without quotes extends to the next mark of JSON's or space.
    let namesAreFree: Bool
    var position = 0
    /// Where a refusal's context begins at the earliest: Google's parser reads a text a second time from the token that
    /// it could not finish the first time, and shows nothing before it.
    var contextStart: Int?
    private var depth = 0

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - namesAreFree: Whether names without quotes may hold any character that does not end them, as in Cloud Storage
    ///     (recorded 2026-09).
    /// - Returns: The text as it was written.
    /// - Throws: `LooseJSONError`.
    package static func parse(_ bytes: [UInt8], namesAreFree: Bool = false) throws -> JSONTree {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw LooseJSONError(message: "Encountered non UTF-8 code points.")
        }
        var parser = LooseJSONParser(bytes: bytes, namesAreFree: namesAreFree)
        let tree = try parser.value()
        guard parser.peek() == nil else { throw parser.failure("Parsing terminated before end of input.") }
        return tree
    }

    private init(bytes: [UInt8], namesAreFree: Bool) {
        self.bytes = bytes
        self.namesAreFree = namesAreFree
    }

    private mutating func value() throws -> JSONTree {
        guard let next = peek() else { throw failure("Expected a value.") }
        switch next {
        case UInt8(ascii: "{"): return try nested { parser in .object(try parser.members()) }
        case UInt8(ascii: "["): return try nested { parser in .array(try parser.elements()) }
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default: return try keyword()
        }
    }

    private mutating func nested(_ read: (inout Self) throws -> JSONTree) throws -> JSONTree {
        guard depth < Self.depthMax else { throw LooseJSONError(message: "Message too deep.") }
        depth += 1
        position += 1
        let tree = try read(&self)
        position += 1
        depth -= 1
        return tree
    }

    private mutating func members() throws -> [JSONTree.Member] {
        var members: [JSONTree.Member] = []
        while peek() != UInt8(ascii: "}") {
            let name = try self.name()
            guard peek() == UInt8(ascii: ":") else { throw failure("Expected : between key:value pair.") }
            position += 1
            members.append(JSONTree.Member(name: name, value: try value()))
            switch peek() {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "}"): break
            default: throw failure("Expected , or } after key:value pair.")
            }
        }
        return members
    }

    private mutating func elements() throws -> [JSONTree] {
        var elements: [JSONTree] = []
        while peek() != UInt8(ascii: "]") {
            guard peek() != nil else { throw failure("Expected a value or ] within an array.") }
            elements.append(try value())
            switch peek() {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "]"): break
            default: throw failure("Expected , or ] after array value.")
            }
        }
        return elements
    }

    private mutating func keyword() throws -> JSONTree {
        for (word, tree) in [("null", JSONTree.null), ("true", .boolean(true)), ("false", .boolean(false))]
        where bytes[position...].starts(with: word.utf8) {
            position += word.utf8.count
            return tree
        }
        throw failure("Unexpected token.")
    }

    /// The next byte other than a space.
    mutating func peek() -> UInt8? {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
            position += 1
        }
        return position < bytes.count ? bytes[position] : nil
    }

    /// Shows where reading failed, with a few bytes around it.
    func failure(_ reason: String) -> LooseJSONError {
        let isAtEnd = position == bytes.count
        let contextByteCount = 20
        let start = max(contextStart ?? (isAtEnd ? position : 0), position - contextByteCount)
        let end = min(bytes.count, position + contextByteCount)
        let context = String(decoding: bytes[start..<end], as: UTF8.self)
        let place = "\(context)\n\(String(repeating: " ", count: position - start))^"
        return LooseJSONError(message: "\(isAtEnd ? "Unexpected end of string. " : "")\(reason)\n\(place)")
    }
}

/// Why Google's services refuse a JSON text, in their words, which show the place.
package struct LooseJSONError: Error, Equatable, Sendable {
    package let message: String

    package init(message: String) {
        self.message = message
    }
}
