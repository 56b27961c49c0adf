// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Writes JSON as UTF-8; a string would take much longer to grow.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    /// Writes a value, broken into lines where there is an indentation, in spaces.
    mutating func write(_ value: JSONText, indentation: Int?) {
        switch value {
        case .string(let string): bytes.appendJSON(string)
        case .integer(let integer): append(String(integer))
        case .number(let number): append(String(describing: number))
        case .boolean(let boolean): append(boolean ? "true" : "false")
        case .verbatim(let json): append(json)
        case .array(let elements):
            write(elements, between: "[", and: "]", indentation: indentation) { writer, element, inner in
                writer.write(element, indentation: inner)
            }
        case .object(let members):
            write(members, between: "{", and: "}", indentation: indentation) { writer, member, inner in
                writer.bytes.appendJSON(member.0)
                writer.append(inner == nil ? ":" : ": ")
                writer.write(member.1, indentation: inner)
            }
        }
    }

    private mutating func write<Element>(
        _ elements: [Element],
        between opening: String,
        and closing: String,
        indentation: Int?,
        _ writeElement: (inout JSONWriter, Element, Int?) -> Void
    ) {
        append(opening)
        let inner = indentation.map { $0 + 2 }
        for (index, element) in elements.enumerated() {
            if index > 0 { append(",") }
            breakLine(inner)
            writeElement(&self, element, inner)
        }
        if !elements.isEmpty { breakLine(indentation) }
        append(closing)
    }

    private mutating func breakLine(_ indentation: Int?) {
        guard let indentation else { return }
        append("\n")
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation))
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}

extension [UInt8] {
    /// Appends a string in quotes, with only the characters escaped that JSON requires (RFC 8259 section 7).
    package mutating func appendJSON(_ string: String) {
        append(UInt8(ascii: "\""))
        if string.utf8.contains(where: Self.needsEscape) {
            for byte in string.utf8 { appendEscaped(byte) }
        } else {
            append(contentsOf: string.utf8)
        }
        append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        guard Self.needsEscape(byte) else { return append(byte) }
        switch byte {
        case UInt8(ascii: "\n"): self += #"\n"#.utf8
        case UInt8(ascii: "\r"): self += #"\r"#.utf8
        case UInt8(ascii: "\t"): self += #"\t"#.utf8
        case ..<0x20: self += ((byte < 0x10 ? #"\u000"# : #"\u00"#) + String(byte, radix: 16)).utf8
        default: self += [UInt8(ascii: "\\"), byte]
        }
    }
}
