// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads a file of rules.
///
/// The grammar is described nowhere; this is the official emulator's (1.19.9, 2026-11). The first fault ends the reading, and
/// ``FaultFinder`` names it and those behind it.
struct RulesParser {
    /// Levels of an expression, and matches in one another: more would need more stack than a thread has, and none is legal.
    static let depthMax = 101

    let text: SourceText
    private let tokens: [Token]
    private var place = 0
    /// The expressions around, or the matches.
    var depth = 0
    /// Faults that the grammar does not forbid.
    private(set) var remarks: [RulesIssue] = []

    /// Reads a file.
    static func parse(_ text: SourceText) throws(RulesError) -> Ruleset {
        guard !text.bytes.isEmpty else { throw RulesError([empty]) }
        let (tokens, faults) = RulesLexer.read(text)
        var parser = RulesParser(text, tokens)
        do throws(RulesIssue) {
            let ruleset = try parser.ruleset()
            if faults.isEmpty, parser.remarks.isEmpty { return ruleset }
        } catch {
            parser.remarks.insert(error, at: 0)
        }
        throw RulesError(FaultFinder.issues(of: text, tokens, faults) ?? parser.remarks)
    }

    private static let empty = RulesIssue(
        severity: .error,
        text: "Rules content empty. Compilation aborted.",
        position: nil
    )

    private init(_ text: SourceText, _ tokens: [Token]) {
        self.text = text
        self.tokens = tokens
    }

    mutating func remark(_ message: String, at range: SourceRange) { remarks.append(text.error(message, at: range)) }

    var token: Token { tokens[place] }
    var following: Token { ahead(1) }
    /// Whether a capture follows: `{name}`, perhaps with more before the brace.
    var isBeforeCapture: Bool {
        following.text == "{" && ahead(2).kind == .word && ["}", "="].contains(ahead(3).text)
    }

    private func ahead(_ distance: Int) -> Token { tokens[min(place + distance, tokens.count - 1)] }

    /// The token before.
    var former: Token { tokens[max(0, place - 1)] }

    mutating func advance() { if place < tokens.count - 1 { place += 1 } }

    func isAt(_ text: String) -> Bool { token.text == text && (token.kind == .mark || token.kind == .word) }

    /// Passes a token if it is there.
    mutating func take(_ text: String) -> Bool {
        guard isAt(text) else { return false }
        advance()
        return true
    }

    /// Passes a token that must be there.
    mutating func expect(_ text: String) throws(RulesIssue) {
        guard take(text) else { throw unexpected() }
    }

    func unexpected() -> RulesIssue { error("Unexpected '\(token.text)'.") }

    func error(_ message: String) -> RulesIssue { text.error(message, at: token.range) }

    /// Takes a name that is not a keyword.
    mutating func name() throws(RulesIssue) -> Token {
        guard token.kind == .word, !Self.keywords.contains(token.text) else { throw unexpected() }
        defer { advance() }
        return token
    }

    /// Reads something that may hold others of its kind.
    mutating func nested<Result>(
        _ complaint: String,
        _ read: (inout Self) throws(RulesIssue) -> Result
    ) throws(RulesIssue) -> Result {
        guard depth < Self.depthMax else { throw error(complaint) }
        depth += 1
        defer { depth -= 1 }
        return try read(&self)
    }

    /// Names that nothing may be given; (official emulator 1.19.9, 2026-11).
    static let keywords: Set<String> = [
        "allow", "break", "case", "continue", "default", "deny", "do", "each", "else", "extends", "false", "for",
        "function",
        "goto", "if", "import", "in", "is", "let", "match", "not", "null", "package", "return", "rules_version",
        "service",
        "switch", "then", "true", "var", "while",
    ]
}
