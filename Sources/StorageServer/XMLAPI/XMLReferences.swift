// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The references inside the text of an XML document.
enum XMLReferences {
    /// The digits and names that a reference may have between `&` and `;`.
    private static let byteCountMax = 10

    /// Replaces the five entities of XML and the references to characters; `nil` when there is any other.
    static func resolve(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        var rest = bytes
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            text += rest[..<start]
            rest = rest[(start + 1)...]
            guard let end = rest.prefix(byteCountMax + 1).firstIndex(of: UInt8(ascii: ";")),
                let character = character(String(decoding: rest[..<end], as: UTF8.self))
            else { return nil }
            text += Array(String(character).utf8)
            rest = rest[(end + 1)...]
        }
        return String(decoding: text + rest, as: UTF8.self)
    }

    private static func character(_ name: String) -> Character? {
        switch name {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        default: name.hasPrefix("#") ? number(name.dropFirst()).flatMap(Unicode.Scalar.init).map(Character.init) : nil
        }
    }

    private static func number(_ digits: Substring) -> UInt32? {
        let isHexadecimal = digits.hasPrefix("x")
        let digits = isHexadecimal ? digits.dropFirst() : digits
        // The type's own initialiser would take a sign.
        guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else { return nil }
        return UInt32(digits, radix: isHexadecimal ? 16 : 10)
    }
}
