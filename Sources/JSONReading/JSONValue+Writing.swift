// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
        case .string(let string): Self.write(string, to: &text)
        case .array(let elements): Self.write(elements, to: &text)
        case .object(let fields): Self.write(fields.sorted { $0.key < $1.key }, to: &text)
        }
    }

    /// Writes an object with its keys in the order given.
    package static func write(_ fields: [(key: String, value: JSONValue)], to text: inout [UInt8]) {
        text.append(UInt8(ascii: "{"))
        for (position, field) in fields.enumerated() {
            if position > 0 { text.append(UInt8(ascii: ",")) }
            write(field.key, to: &text)
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

    private static func write(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): text += #"\""#.utf8
            case UInt8(ascii: "\\"): text += #"\\"#.utf8
            case 0x0A: text += #"\n"#.utf8
            case 0x0D: text += #"\r"#.utf8
            case 0x09: text += #"\t"#.utf8
            case 0x00..<0x20: text += ((byte < 0x10 ? #"\u000"# : #"\u00"#) + String(byte, radix: 16)).utf8
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
