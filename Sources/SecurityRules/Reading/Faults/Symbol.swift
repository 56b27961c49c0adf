// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A kind of token of the official grammar.
///
/// The order is that of the official messages, which list what they expected by it.
enum Symbol: UInt8, CaseIterable, Sendable {
    case decrement, and, colon, comma, dot, equal, increment, openBrace, greater, greaterOrEqual, openBracket,
        openParenthesis, less, lessOrEqual, minus, not, percent, notEqual, or, plus, closeBrace, closeBracket,
        closeParenthesis, semicolon, slash, star, question, assign, doubleStar, dollar, at
    case allow
    case `false`
    case function
    case `if`
    case `import`
    case `in`
    case `is`
    case `let`
    case match
    case null
    case `return`
    case service, rulesVersion
    case `true`
    case pathSegment, identifier, integer, float, unpairedDouble, unpairedSingle, string, bytes
    case serviceName
    /// A reserved word without a meaning.
    case reserved
    case end
    /// Whatever follows the rule; no token.
    case outside
}

extension Symbol {
    init(_ token: Token) {
        switch token.kind {
        case .integer: self = .integer
        case .float: self = .float
        case .string: self = .string
        case .bytes: self = .bytes
        case .unpaired: self = token.text.hasPrefix("'") ? .unpairedSingle : .unpairedDouble
        case .pathSegment: self = .pathSegment
        case .serviceName: self = .serviceName
        case .end: self = .end
        case .mark: self = Self.texts[token.text] ?? .at
        case .word:
            self = Self.texts[token.text] ?? (RulesParser.keywords.contains(token.text) ? .reserved : .identifier)
        }
    }

    private static let texts: [String: Symbol] = [
        "--": .decrement, "&&": .and, ":": .colon, ",": .comma, ".": .dot, "==": .equal, "++": .increment,
        "{": .openBrace, ">": .greater, ">=": .greaterOrEqual, "[": .openBracket, "(": .openParenthesis, "<": .less,
        "<=": .lessOrEqual, "-": .minus, "!": .not, "%": .percent, "!=": .notEqual, "||": .or, "+": .plus,
        "}": .closeBrace, "]": .closeBracket, ")": .closeParenthesis, ";": .semicolon, "/": .slash, "*": .star,
        "?": .question, "=": .assign, "**": .doubleStar, "$": .dollar, "@": .at, "allow": .allow, "false": .false,
        "function": .function, "if": .if, "import": .import, "in": .in, "is": .is, "let": .let, "match": .match,
        "null": .null, "return": .return, "service": .service, "rules_version": .rulesVersion, "true": .true,
    ]

    private static let names: [Symbol: String] = {
        var names = Dictionary(uniqueKeysWithValues: texts.map { ($0.value, "'\($0.key)'") })
        names[.pathSegment] = "PATH_SEGMENT"
        names[.identifier] = "IDENTIFIER"
        names[.integer] = "NUM_INT"
        names[.float] = "NUM_FLOAT"
        names[.unpairedDouble] = "UNPAIRED_DOUBLE_QUOTE"
        names[.unpairedSingle] = "UNPAIRED_SINGLE_QUOTE"
        names[.string] = "STRING"
        names[.bytes] = "BYTES"
        names[.serviceName] = "SERVICE_NAME"
        names[.end] = "<EOF>"
        return names
    }()

    /// As a message shows that it was expected.
    var name: String { Self.names[self] ?? "\(self)" }
}

/// A set of symbols.
struct SymbolSet: Hashable, Sendable, ExpressibleByArrayLiteral {
    private(set) var bits: UInt64 = 0

    init(arrayLiteral symbols: Symbol...) { for symbol in symbols { insert(symbol) } }

    func contains(_ symbol: Symbol) -> Bool { bits & (1 << UInt64(symbol.rawValue)) != 0 }
    func intersects(_ other: SymbolSet) -> Bool { bits & other.bits != 0 }
    mutating func insert(_ symbol: Symbol) { bits |= 1 << UInt64(symbol.rawValue) }
    mutating func remove(_ symbol: Symbol) { bits &= ~(1 << UInt64(symbol.rawValue)) }
    mutating func formUnion(_ other: SymbolSet) { bits |= other.bits }

    /// As a message shows it.
    var description: String {
        let names = Symbol.allCases.filter(contains).map(\.name)
        return names.count == 1 ? names[0] : "{\(names.joined(separator: ", "))}"
    }
}
