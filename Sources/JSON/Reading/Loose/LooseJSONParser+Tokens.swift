// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Names, strings and numbers.

extension LooseJSONParser {
    /// Reads a member's name; one without quotes is an identifier.
    mutating func name() throws -> String {
        guard let next = peek() else { throw failure("Expected an object key or }.") }
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { return try string() }
        let start = position
        while position < bytes.count, isName(bytes[position], isFirst: position == start) {
            position += 1
        }
        guard position > start else { throw failure("Expected an object key or }.") }
        if position == bytes.count { contextStart = start }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads up to the quote it begins with.
    mutating func string() throws -> String {
        let quote = bytes[position]
        position += 1
        var content: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case quote: return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"): try appendEscaped(to: &content)
            default: content.append(byte)
            }
        }
        throw LooseJSONError(message: "Closing quote expected in string.\n\n^")
    }

    /// Reads a literal of strict JSON.
    mutating func number() throws -> String {
        let start = position
        while position < bytes.count, Self.isNumber(bytes[position]) {
            position += 1
        }
        if position == bytes.count { contextStart = start }
        let literal = String(decoding: bytes[start..<position], as: UTF8.self)
        let unsigned = literal.drop { $0 == "-" }
        let hasLeadingZero = unsigned.hasPrefix("0") && unsigned.dropFirst().first?.isNumber == true
        guard !hasLeadingZero else {
            position = start
            throw failure("Octal/hex numbers are not valid JSON values.")
        }
        guard let number = Double(literal), literal.last?.isNumber == true else {
            position = start
            throw failure("Unable to parse number.")
        }
        guard number.isFinite else {
            position = start
            throw failure("Number exceeds the range of double.")
        }
        return literal
    }

    private mutating func appendEscaped(to content: inout [UInt8]) throws {
        guard position < bytes.count else { return }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "v"): content.append(0x0B)
        case UInt8(ascii: "u"): content += String(try scalar()).utf8
        default: content.append(byte)
        }
    }

    /// Reads the digits after `\u`, and a second escape where they are half of a character.
    private mutating func scalar() throws -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
            throw failure("Invalid unicode code point.")
        }
        position += 2
        let second = try hexadecimal()
        guard (0xD800..<0xDC00).contains(first), (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw failure("Invalid low surrogate.") }
        return scalar
    }

    private mutating func hexadecimal() throws -> UInt32 {
        let digits = bytes[position..<min(position + 4, bytes.count)]
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw failure("Invalid escape sequence.") }
        position += 4
        return number
    }

    private func isName(_ byte: UInt8, isFirst: Bool) -> Bool {
        guard namesAreFree, !isFirst else { return Self.isIdentifier(byte, isFirst: isFirst) }
        return byte > 0x20 && !":,{}[]".utf8.contains(byte)
    }

    private static func isIdentifier(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"):
            true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): !isFirst
        default: false
        }
    }

    private static func isNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
