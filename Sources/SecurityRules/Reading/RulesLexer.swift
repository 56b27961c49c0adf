// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Cuts a file of rules into tokens.
///
/// A slash that is followed by a character of path segments begins one, also where a division was meant: `4/2` does not parse,
/// `4 / 2` does (official emulator 1.19.9, 2026-11).
struct RulesLexer {
    private let text: SourceText
    private var place = 0
    /// None ends from here on; looking each time would take the square of the time.
    private var hasNoMoreComments = false

    init(_ text: SourceText) { self.text = text }

    /// All tokens, the last of which is the end.
    mutating func tokens() throws(RulesIssue) -> [Token] {
        var tokens: [Token] = []
        while let token = try next() { tokens.append(token) }
        tokens.append(Token(kind: .end, range: SourceRange(start: place, end: place), text: "<EOF>"))
        return tokens
    }

    private mutating func next() throws(RulesIssue) -> Token? {
        skipBlanks()
        guard place < text.bytes.count else { return nil }
        let start = place
        let kind = try readToken()
        let range = SourceRange(start: start, end: place)
        return Token(kind: kind, range: range, text: text[range])
    }

    private mutating func readToken() throws(RulesIssue) -> Token.Kind {
        let byte = text.bytes[place]
        switch byte {
        case UInt8(ascii: "b") where peek(1).isQuote, UInt8(ascii: "B") where peek(1).isQuote:
            place += 1
            try readString()
            return .bytes
        case _ where byte.isQuote:
            try readString()
            return .string
        case _ where byte.isNameStart, UInt8(ascii: "$") where startsName:
            while peek().isNamePart || peek() == UInt8(ascii: "$") { place += 1 }
            return .word
        case _ where byte.isDigit, UInt8(ascii: ".") where peek(1).isDigit:
            return readNumber()
        case UInt8(ascii: "/"):
            return readSlash()
        default:
            return try readMark()
        }
    }

    /// Whether there is more than dollar signs.
    private var startsName: Bool {
        text.bytes[place...].first { $0 != UInt8(ascii: "$") }?.isNamePart ?? false
    }

    private mutating func skipBlanks() {
        while place < text.bytes.count {
            switch (text.bytes[place], peek(1)) {
            case (UInt8(ascii: " "), _), (UInt8(ascii: "\t"), _), (UInt8(ascii: "\n"), _), (UInt8(ascii: "\r"), _),
                (0x0C, _):
                place += 1
            case (UInt8(ascii: "/"), UInt8(ascii: "/")):
                while place < text.bytes.count, text.bytes[place] != UInt8(ascii: "\n") { place += 1 }
            case (UInt8(ascii: "/"), UInt8(ascii: "*")):
                guard let end = endOfComment() else { return }
                place = end
            default:
                return
            }
        }
    }

    /// `nil` where it does not end: then its beginning is a path.
    private mutating func endOfComment() -> Int? {
        guard !hasNoMoreComments else { return nil }
        var end = place + 2
        while end + 1 < text.bytes.count {
            if text.bytes[end] == UInt8(ascii: "*"), text.bytes[end + 1] == UInt8(ascii: "/") { return end + 2 }
            end += 1
        }
        hasNoMoreComments = true
        return nil
    }

    private mutating func readString() throws(RulesIssue) {
        let start = place
        let quote = text.bytes[place]
        place += 1
        while peek() != quote {
            guard place < text.bytes.count, peek() != UInt8(ascii: "\n"), peek() != UInt8(ascii: "\r") else {
                throw text.error(
                    "Missing a closing \(Character(Unicode.Scalar(quote)))",
                    at: SourceRange(start: start, end: start + 1)
                )
            }
            place += peek() == UInt8(ascii: "\\") ? 2 : 1
        }
        place += 1
    }

    private mutating func readNumber() -> Token.Kind {
        var kind = Token.Kind.integer
        // A number begins with a zero only where it is one.
        if peek() == UInt8(ascii: "0") { place += 1 } else { while peek().isDigit { place += 1 } }
        if peek() == UInt8(ascii: ".") {
            kind = .float
            place += 1
            while peek().isDigit { place += 1 }
        }
        return kind
    }

    private mutating func readSlash() -> Token.Kind {
        let start = place
        place += 1
        let isInParentheses = peek() == UInt8(ascii: "(")
        if isInParentheses { place += 1 }
        let first = place
        while let count = segmentCharacterCount() { place += count }
        if place > first, !isInParentheses || peek() == UInt8(ascii: ")") {
            if isInParentheses { place += 1 }
            return .pathSegment
        }
        place = start + 1
        return .mark
    }

    /// The bytes of a character that a path segment may have; `nil` for any other.
    private func segmentCharacterCount() -> Int? {
        let byte = peek()
        if byte == UInt8(ascii: "%") { return peek(1).isHexadecimal && peek(2).isHexadecimal ? 3 : nil }
        return byte.isNamePart || "&'*+-.:@~".utf8.contains(byte) ? 1 : nil
    }

    private mutating func readMark() throws(RulesIssue) -> Token.Kind {
        let pair = [peek(), peek(1)]
        for mark in ["&&", "||", "==", "!=", "<=", ">=", "**", "++", "--"] where pair.elementsEqual(mark.utf8) {
            place += 2
            return .mark
        }
        guard "+-*%<>!?:;,.(){}[]$=".utf8.contains(peek()) else {
            let character = String(decoding: text.bytes[place...].prefix(4), as: UTF8.self).prefix(1)
            throw text.error(
                "token recognition error at: '\(character)'",
                at: SourceRange(start: place, end: place + character.utf8.count)
            )
        }
        place += 1
        return .mark
    }

    private func peek(_ distance: Int = 0) -> UInt8 {
        place + distance < text.bytes.count ? text.bytes[place + distance] : 0
    }
}

extension UInt8 {
    fileprivate var isQuote: Bool { self == UInt8(ascii: "'") || self == UInt8(ascii: "\"") }
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isNameStart: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self == UInt8(ascii: "_")
    }
    fileprivate var isNamePart: Bool { isNameStart || isDigit }
    fileprivate var isHexadecimal: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
}
