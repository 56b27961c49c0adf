// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension RulesParser {
    /// Reads a path in an expression.
    mutating func path() throws(RulesIssue) -> Expression {
        let start = token.range
        var parts: [PathPart] = []
        var names: [(name: String, range: SourceRange)] = []
        var partsEnd = 0
        while let (part, end) = try pathPart(&names) {
            parts.append(part)
            partsEnd = max(partsEnd, end)
        }
        refuseRepeated(names)
        guard !parts.isEmpty else { throw error("Forward slash '/' found where identifier or binding expected.") }
        // A path that ends with a slash, unless a division follows.
        if isAt("/"), following.kind == .pathSegment || following.text == "/" || !following.beginsValue {
            throw error("Forward slash '/' found where identifier or binding expected.")
        }
        return try made(
            .path(parts),
            range: start.joined(to: former.range),
            place: start,
            start: start,
            partsEnd: partsEnd
        )
    }

    /// A part, and the place behind its last token that names something.
    private mutating func pathPart(
        _ names: inout [(name: String, range: SourceRange)]
    ) throws(RulesIssue) -> (part: PathPart, end: Int)? {
        if token.kind == .pathSegment {
            defer { advance() }
            return (.literal(try literalSegment(token)), token.range.end)
        }
        guard isAt("/") else { return nil }
        switch following.text {
        case "{" where isBeforeCapture:
            advance()
            let (name, isGlob) = try capture()
            names.append((name.text, name.range))
            return (isGlob ? .glob(name.text) : .capture(name.text), name.range.end)
        case "$":
            advance()
            advance()
            try expect("(")
            let value = try expression()
            try expect(")")
            return (.computed(value), value.span.range.end)
        default:
            return nil
        }
    }

    /// Refuses variables of a path that another of its variables is named like.
    mutating func refuseRepeated(_ names: [(name: String, range: SourceRange)]) {
        guard names.count > 1 else { return }
        var known: Set<String> = []
        for (name, range) in names where !known.insert(name).inserted {
            remark("Variable \(name) already exists in the PathTemplate.", at: range)
        }
    }

    /// Reads `{name}`, `{name=*}` or `{name=**}`.
    mutating func capture() throws(RulesIssue) -> (name: Token, isGlob: Bool) {
        try expect("{")
        let name = try name()
        let isGlob = take("=") && !take("*")
        if isGlob { try expect("**") }
        try expect("}")
        return (name, isGlob)
    }

    /// Takes the slash away and decodes the rest as in a URL.
    func literalSegment(_ token: Token) throws(RulesIssue) -> String {
        let encoded = token.text.dropFirst().replacing("+", with: " ")
        guard let decoded = encoded.removingPercentEncoding else {
            throw text.error("Invalid path segment.", at: token.range)
        }
        return decoded
    }
}

extension Token {
    fileprivate var beginsValue: Bool { ![")", "]", "}", ",", ";", ":", "?"].contains(text) && kind != .end }
}
