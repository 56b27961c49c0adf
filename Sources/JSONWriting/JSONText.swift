// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// JSON to be written: like Google's services, it keeps the order of its keys and indents by two spaces.
package enum JSONText: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    case string(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)
    case array([JSONText])
    case object([(String, JSONText)])
    /// JSON that was written elsewhere.
    case verbatim(String)

    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// Creates an object, leaving out the keys whose value is `nil`.
    package static func object(compacting members: [(String, JSONText?)]) -> JSONText {
        .object(members.compactMap { member in member.1.map { (member.0, $0) } })
    }

    /// Renders the JSON, broken into lines and indented by two spaces unless `isIndented` is false.
    package func rendered(isIndented: Bool = true) -> String {
        var text = ""
        write(to: &text, indentation: isIndented ? 0 : nil)
        return text
    }

    private func write(to text: inout String, indentation: Int?) {
        switch self {
        case .string(let string): Self.write(string, to: &text)
        case .integer(let integer): text += String(integer)
        case .number(let number): text += String(describing: number)
        case .boolean(let boolean): text += boolean ? "true" : "false"
        case .verbatim(let json): text += json
        case .array(let elements):
            Self.write(elements, between: "[", and: "]", to: &text, indentation: indentation) { element, text, inner in
                element.write(to: &text, indentation: inner)
            }
        case .object(let members):
            Self.write(members, between: "{", and: "}", to: &text, indentation: indentation) { member, text, inner in
                Self.write(member.0, to: &text)
                text += inner == nil ? ":" : ": "
                member.1.write(to: &text, indentation: inner)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element],
        between opening: String,
        and closing: String,
        to text: inout String,
        indentation: Int?,
        _ writeElement: (Element, inout String, Int?) -> Void
    ) {
        text += opening
        let inner = indentation.map { $0 + 2 }
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            breakLine(&text, inner)
            writeElement(element, &text, inner)
        }
        if !elements.isEmpty { breakLine(&text, indentation) }
        text += closing
    }

    private static func breakLine(_ text: inout String, _ indentation: Int?) {
        guard let indentation else { return }
        text += "\n"
        for _ in 0..<indentation { text += " " }
    }

    /// Returns a string in quotes, with only what JSON demands escaped (RFC 8259 section 7).
    package static func quoted(_ string: String) -> String {
        var text = ""
        write(string, to: &text)
        return text
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        if string.utf8.contains(where: needsEscape) {
            for scalar in string.unicodeScalars { write(scalar, to: &text) }
        } else {
            text += string
        }
        text += "\""
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func write(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case "\u{0}"..<"\u{20}":
            let digits = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: text.unicodeScalars.append(scalar)
        }
    }
}
