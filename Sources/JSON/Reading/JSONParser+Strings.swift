// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension JSONParser {
    mutating func string() throws(JSONError) -> String {
        position += 1
        let plain = takePlainCharacters()
        if take("\"") { return String(decoding: plain, as: UTF8.self) }
        var characters = Array(plain)
        while !take("\"") {
            guard let byte = peek() else { throw error("a string does not end") }
            guard byte >= 0x20 else { throw error("a control character in a string") }
            if take("\\") { try escape(into: &characters) }
            characters += takePlainCharacters()
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// The bytes up to a quote, an escape, a control character or the end.
    private mutating func takePlainCharacters() -> ArraySlice<UInt8> {
        let start = position
        while position < text.count {
            let byte = text[position]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            position += 1
        }
        return text[start..<position]
    }

    private mutating func escape(into characters: inout [UInt8]) throws(JSONError) {
        guard let byte = peek() else { throw error("a string does not end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): characters.append(byte)
        case UInt8(ascii: "b"): characters.append(0x08)
        case UInt8(ascii: "f"): characters.append(0x0C)
        case UInt8(ascii: "n"): characters.append(0x0A)
        case UInt8(ascii: "r"): characters.append(0x0D)
        case UInt8(ascii: "t"): characters.append(0x09)
        case UInt8(ascii: "u"): characters += String(Character(try escapedScalar())).utf8
        default: throw error("an unknown escape")
        }
    }

    private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), take("\\"), take("u") else { throw error("half a surrogate pair") }
        let second = try hexadecimal()
        guard UTF16.isTrailSurrogate(second) else { throw error("half a surrogate pair") }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt16 {
        var result: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("expected four hexadecimal digits")
            }
            position += 1
            result = result << 4 | UInt16(digit)
        }
        return result
    }
}
