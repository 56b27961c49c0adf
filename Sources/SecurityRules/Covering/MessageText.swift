// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// JSON as the library of Protocol Buffers for Java prints messages.
struct MessageText {
    private(set) var text = ""
    private let isIndented: Bool
    private var depth = 0
    private var isFirst = true

    init(isIndented: Bool = true) { self.isIndented = isIndented }

    /// Writes an object, whose members `write` adds.
    mutating func object(_ write: (inout Self) -> Void) {
        text += "{"
        depth += 1
        isFirst = true
        write(&self)
        depth -= 1
        breakLine()
        text += "}"
        isFirst = false
    }

    mutating func member(_ name: String, _ write: (inout Self) -> Void) {
        if !isFirst { text += "," }
        breakLine()
        quote(name)
        text += ": "
        write(&self)
        isFirst = false
    }

    /// Adds a list, unless it is empty.
    mutating func member<Element>(_ name: String, list: [Element], _ write: (inout Self, Element) -> Void) {
        guard !list.isEmpty else { return }
        member(name) { text in
            for (number, element) in list.enumerated() {
                text.raw(number == 0 ? "[" : ", ")
                write(&text, element)
            }
            text.raw("]")
        }
    }

    mutating func member(_ name: String, string: String) { member(name) { $0.quote(string) } }

    mutating func member(_ name: String, number: Int) { member(name) { $0.raw("\(number)") } }

    mutating func member(_ name: String, float: Double) {
        member(name) { $0.raw(float.isFinite ? float.javaText : "\"\(float.javaText)\"") }
    }

    mutating func raw(_ content: String) { text += content }

    private mutating func breakLine() {
        guard isIndented else { return }
        text += "\n"
        text += String(repeating: "  ", count: depth)
    }

    private mutating func quote(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{8}": text += "\\b"
            case "\u{C}": text += "\\f"
            case _ where scalar.value < 0x20 || scalar == "\u{2028}" || scalar == "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
