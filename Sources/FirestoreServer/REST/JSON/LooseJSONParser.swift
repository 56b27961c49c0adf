// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads JSON as loosely as Google's services do and refuses the rest in their words.
///
/// A comma may end a list, strings may be in single quotes and names without any. Source of the rules and texts: the
/// JSON parser that protobuf's C++ library had until 2022 (`json_stream_parser.cc`), and production's answers (recorded
/// 2026-09).
struct LooseJSONParser {
    /// How deep arrays and objects may nest.
    static let depthMax = 200

    let bytes: [UInt8]
    var position = 0
    private var depth = 0

    /// - Throws: `CallError` (invalid argument).
    static func parse(_ bytes: [UInt8]) throws -> JSONTree {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw CallError.jsonInvalid("Encountered non UTF-8 code points.")
        }
        var parser = LooseJSONParser(bytes: bytes)
        let tree = try parser.value()
        guard parser.peek() == nil else { throw parser.failure("Parsing terminated before end of input.") }
        return tree
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
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
        guard depth < Self.depthMax else { throw CallError.jsonInvalid("Message too deep.") }
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

    /// The next byte that is no space.
    mutating func peek() -> UInt8? {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
            position += 1
        }
        return position < bytes.count ? bytes[position] : nil
    }

    /// Shows where reading failed, with a few bytes around it.
    func failure(_ reason: String) -> CallError {
        guard position < bytes.count else {
            return .jsonInvalid("Unexpected end of string. \(reason)\n\n^")
        }
        let contextByteCount = 20
        let start = max(0, position - contextByteCount)
        let end = min(bytes.count, position + contextByteCount)
        let context = String(decoding: bytes[start..<end], as: UTF8.self)
        return .jsonInvalid("\(reason)\n\(context)\n\(String(repeating: " ", count: position - start))^")
    }
}
