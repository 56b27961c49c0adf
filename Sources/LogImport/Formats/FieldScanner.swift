// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Goes through the fields of a line of an access log.
struct FieldScanner {
    private var rest: Substring

    init(_ line: String) { rest = Substring(line.hasSuffix("\r") ? String(line.dropLast()) : line) }

    /// A field without spaces.
    mutating func word() -> Substring? {
        rest = rest.drop { $0 == " " }
        let word = rest.prefix { $0 != " " }
        rest = rest.dropFirst(word.count)
        return word.isEmpty ? nil : word
    }

    /// A field in brackets, without them.
    mutating func bracketed() -> Substring? { enclosed("[", "]") }

    /// A field in quotes, without them; a backslash takes the next character for itself.
    mutating func quoted() -> Substring? { enclosed("\"", "\"") }

    private mutating func enclosed(_ open: Character, _ close: Character) -> Substring? {
        rest = rest.drop { $0 == " " }
        guard rest.first == open else { return nil }
        var index = rest.index(after: rest.startIndex)
        let start = index
        while index < rest.endIndex, rest[index] != close {
            if rest[index] == "\\" { index = rest.index(after: index) }
            guard index < rest.endIndex else { return nil }
            index = rest.index(after: index)
        }
        guard index < rest.endIndex else { return nil }
        defer { rest = rest[rest.index(after: index)...] }
        return rest[start..<index]
    }
}
