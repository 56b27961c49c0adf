// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// JSON of messages of Protocol Buffers.
struct MessageText {
    private(set) var text = ""
    private let style: MessageStyle
    private var depth = 0
    /// The members of the object that is being written, each with its place among the text's bytes.
    private var members: [(name: String, start: Int)] = []

    init(_ style: MessageStyle = .report) { self.style = style }

    /// Writes an object, whose members `write` adds.
    mutating func object(_ write: (inout Self) -> Void) {
        let outer = members
        members = []
        text += "{"
        depth += 1
        write(&self)
        depth -= 1
        if style.hasHashOrder { putMembersInHashOrder() }
        breakLine()
        text += "}"
        members = outer
    }

    mutating func member(_ name: String, _ write: (inout Self) -> Void) {
        if !members.isEmpty { text += "," }
        breakLine()
        members.append((name, text.utf8.count))
        quote(name)
        text += style.colon
        write(&self)
    }

    /// Adds a list, unless it is empty.
    mutating func member<Element>(_ name: String, list: [Element], _ write: (inout Self, Element) -> Void) {
        guard !list.isEmpty else { return }
        member(name) { $0.list(list, write) }
    }

    /// Writes a list.
    mutating func list<Element>(_ list: [Element], _ write: (inout Self, Element) -> Void) {
        text += "["
        for (number, element) in list.enumerated() {
            if number > 0 { text += style.comma }
            write(&self, element)
        }
        text += "]"
    }

    mutating func member(_ name: String, string: String) { member(name) { $0.quote(string) } }

    mutating func member(_ name: String, number: Int) { member(name) { $0.raw("\(number)") } }

    mutating func member(_ name: String, float: Double) {
        member(name) { text in
            let number = text.style.text(of: float)
            text.raw(float.isFinite ? number : "\"\(number)\"")
        }
    }

    mutating func raw(_ content: String) { text += content }

    private mutating func breakLine() {
        guard style.isIndented else { return }
        text += "\n"
        text += String(repeating: "  ", count: depth)
    }

    private mutating func quote(_ string: String) {
        text += "\""
        defer { text += "\"" }
        // Most have nothing to be escaped.
        guard !string.utf8.allSatisfy(\.isPlain) else {
            text += string
            return
        }
        var previous: Unicode.Scalar?
        for scalar in string.unicodeScalars {
            if let escape = style.escape(scalar, after: previous) {
                text += escape
            } else {
                text.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
    }

    /// Puts the members of the object that is being written in the order of a Java `HashMap`.
    private mutating func putMembersInHashOrder() {
        let places = members.map(\.name).placesInJavaSetOrder
        guard let first = members.first, places != Array(members.indices) else { return }
        // A comma is before each but the first.
        let ends = members.dropFirst().map { $0.start - 1 } + [text.utf8.count]
        let ordered = places.map { place in text[index(members[place].start)..<index(ends[place])] }
        let content = ordered.joined(separator: ",")
        text.replaceSubrange(index(first.start)..., with: content)
    }

    private func index(_ place: Int) -> String.Index { text.utf8.index(text.startIndex, offsetBy: place) }
}

extension UInt8 {
    /// Whether it is a character that no style escapes, whatever stands beside it.
    fileprivate var isPlain: Bool {
        (0x20..<0x7F).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
            && self != UInt8(ascii: "<")
    }
}
