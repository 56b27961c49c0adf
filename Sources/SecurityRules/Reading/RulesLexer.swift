// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Characters that are part of no token.
struct LexicalFault: Sendable {
    /// Where the lexer began.
    let start: Int
    /// The last character that it read.
    let last: SourceRange
}

/// Cuts a file of rules into tokens.
///
/// A slash that is followed by a character of path segments begins one, also where a division was meant: `4/2` does not parse,
/// `4 / 2` does (official emulator 1.19.9, 2026-11).
struct RulesLexer {
    private let text: SourceText
    private var place = 0
    /// None ends from here on; looking each time would take the square of the time.
    private var hasNoMoreComments = false
    /// Behind the dollar signs that were looked through last.
    private var dollarsEnd = 0
    /// Whether the name of a service follows.
    private var isBeforeService = false
    private var faults: [LexicalFault] = []

    private init(_ text: SourceText) { self.text = text }

    /// All tokens, the last of which is the end, and the characters that none has.
    static func read(_ text: SourceText) -> (tokens: [Token], faults: [LexicalFault]) {
        var lexer = RulesLexer(text)
        var tokens: [Token] = []
        while let token = lexer.next() { tokens.append(token) }
        let end = SourceRange(start: lexer.place, end: lexer.place)
        tokens.append(Token(kind: .end, range: end, text: "<EOF>"))
        return (tokens, lexer.faults)
    }

    private mutating func next() -> Token? {
        while true {
            if isBeforeService { skipBlanksBeforeService() } else { skipBlanks() }
            guard place < text.bytes.count else { return nil }
            let start = place
            guard let kind = isBeforeService ? readServiceName() : readToken() else {
                refuse(from: start)
                continue
            }
            let range = SourceRange(start: start, end: place)
            let token = Token(kind: kind, range: range, text: text[range])
            isBeforeService = kind == .word && token.text == "service"
            return token
        }
    }

    /// Passes what begins no token: a character, or a single `&` or `|` with the character behind it.
    private mutating func refuse(from start: Int) {
        let isHalf = text.bytes[start] == UInt8(ascii: "&") || text.bytes[start] == UInt8(ascii: "|")
        if isHalf, !isBeforeService, start + 1 < text.bytes.count { place += 1 }
        let last = place
        repeat { place += 1 } while peek() & 0b1100_0000 == 0b1000_0000
        faults.append(LexicalFault(start: start, last: SourceRange(start: last, end: place)))
    }

    /// `nil` for what begins no token.
    private mutating func readToken() -> Token.Kind? {
        let byte = text.bytes[place]
        switch byte {
        case UInt8(ascii: "b") where peek(1).isQuote, UInt8(ascii: "B") where peek(1).isQuote:
            place += 1
            if readString() { return .bytes }
            // The quote is the next token then.
            return .word
        case _ where byte.isQuote:
            let start = place
            if readString() { return .string }
            place = endOfUnpaired(from: start)
            return .unpaired
        case _ where byte.isNameStart, UInt8(ascii: "$") where startsName():
            while peek().isNamePart || peek() == UInt8(ascii: "$") { place += 1 }
            return .word
        case _ where byte.isDigit, UInt8(ascii: ".") where peek(1).isDigit:
            return readNumber()
        case UInt8(ascii: "/"):
            return readSlash()
        default:
            return readMark()
        }
    }

    private mutating func skipBlanksBeforeService() {
        while place < text.bytes.count, " \t\r\n\u{C}".utf8.contains(text.bytes[place]) { place += 1 }
    }

    private mutating func readServiceName() -> Token.Kind? {
        let start = place
        while peek().isServiceNamePart { place += 1 }
        return place > start ? .serviceName : nil
    }

    /// Whether there is more than dollar signs.
    private mutating func startsName() -> Bool {
        if dollarsEnd <= place {
            dollarsEnd = text.bytes[place...].firstIndex { $0 != UInt8(ascii: "$") } ?? text.bytes.count
        }
        return dollarsEnd < text.bytes.count && text.bytes[dollarsEnd].isNamePart
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

    /// Passes a string if it closes on its line and has no escape but those that there are; else nothing.
    private mutating func readString() -> Bool {
        let end = endOfUnpaired(from: place)
        guard end < text.bytes.count, text.bytes[end] == text.bytes[place] else { return false }
        place = end + 1
        return true
    }

    /// Behind the last character that can be in the string that begins at a quote.
    private func endOfUnpaired(from start: Int) -> Int {
        var end = start + 1
        while end < text.bytes.count {
            switch text.bytes[end] {
            case text.bytes[start], UInt8(ascii: "\n"), UInt8(ascii: "\r"): return end
            case UInt8(ascii: "\\"):
                guard let count = text.byteCountOfEscape(at: end) else { return end }
                end += count
            default: end += 1
            }
        }
        return end
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

    private mutating func readMark() -> Token.Kind? {
        let (byte, next) = (peek(), peek(1))
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "|"):
            guard next == byte else { return nil }
            place += 2
        case UInt8(ascii: "*") where next == byte, UInt8(ascii: "+") where next == byte,
            UInt8(ascii: "-") where next == byte, _ where next == UInt8(ascii: "=") && "=!<>".utf8.contains(byte):
            place += 2
        case _ where "+-*%<>!?:;,.(){}[]$=@".utf8.contains(byte):
            place += 1
        default:
            return nil
        }
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
    fileprivate var isServiceNamePart: Bool { self != UInt8(ascii: "_") && isNamePart || ".-".utf8.contains(self) }
    fileprivate var isHexadecimal: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
}

extension SourceText {
    /// The bytes of an escape in a string, such as `\\n`; `nil` where there is none.
    fileprivate func byteCountOfEscape(at place: Int) -> Int? {
        func digits(_ count: Int, _ isDigit: (UInt8) -> Bool) -> Int? {
            let found = bytes.dropFirst(place + 2).prefix(count)
            return found.count == count && found.allSatisfy(isDigit) ? 2 + count : nil
        }
        guard place + 1 < bytes.count else { return nil }
        switch bytes[place + 1] {
        case _ where "ntrbf\\'\"".utf8.contains(bytes[place + 1]): return 2
        case UInt8(ascii: "x"): return digits(2, \.isHexadecimal)
        case UInt8(ascii: "u"): return digits(4, \.isHexadecimal)
        case UInt8(ascii: "0")...UInt8(ascii: "3"): return digits(2) { $0 & 0b1111_1000 == UInt8(ascii: "0") }
        default: return nil
        }
    }
}
