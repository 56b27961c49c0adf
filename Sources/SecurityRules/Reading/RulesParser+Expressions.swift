// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension RulesParser {
    mutating func expression() throws(RulesIssue) -> Expression {
        try nested(Self.tooComplex) { parser throws(RulesIssue) in
            let start = parser.token.range
            let condition = try parser.operation(above: 0)
            guard parser.isAt("?") else { return condition }
            let place = parser.token.range
            parser.advance()
            let then = try parser.expression()
            try parser.expect(":")
            let otherwise = try parser.expression()
            return try parser.made(
                .conditional(condition, then: then, otherwise: otherwise),
                range: condition.range.joined(to: otherwise.range),
                place: place,
                start: start,
                name: place
            )
        }
    }

    /// Reads an expression that is in no other.
    mutating func wholeExpression() throws(RulesIssue) -> Expression {
        let matchDepth = depth
        depth = 0
        defer { depth = matchDepth }
        return try expression()
    }

    static let tooComplex = "Expression is too complex to evaluate safely."

    /// Makes a node, unless it has more levels than are evaluated.
    ///
    /// An issue names its `place`. Reports of coverage place it from its first token, `start`, up to its `name` and its
    /// parts; `partsEnd` is behind those that are not expressions.
    func made(
        _ form: Expression.Form,
        range: SourceRange,
        place: SourceRange,
        start: SourceRange,
        name: SourceRange? = nil,
        partsEnd: Int = 0
    ) throws(RulesIssue) -> Expression {
        var (height, end) = (Int32(0), partsEnd)
        form.visitParts { part in
            height = max(height, part.height)
            end = max(end, part.span.range.end)
        }
        height += 1
        guard height <= RulesLimits.expressionHeightMax else { throw error(Self.tooComplex) }
        let span = TokenSpan(start: start, name: name, partsEnd: end)
        return Expression(form: form, range: range, place: place, span: span, height: height)
    }

    /// Reads operators that bind tighter than a precedence; all are left-associative.
    private mutating func operation(above precedence: Int) throws(RulesIssue) -> Expression {
        let start = token.range
        var left = try unary()
        while let (binary, tightness) = operatorAhead, tightness > precedence {
            let place = token.range
            if ["++", "--"].contains(token.text) {
                throw error("Increment (++) and decrement (--) operators are not supported.")
            }
            advance()
            guard let binary else {
                left = try typeCheck(of: left, at: place, start: start)
                continue
            }
            let right = try operation(above: tightness)
            left = try made(
                .binary(binary, left, right),
                range: left.range.joined(to: right.range),
                place: place,
                start: start,
                name: place
            )
        }
        return left
    }

    /// The operator at this place; without one of its own for `is`.
    private var operatorAhead: (BinaryOperator?, precedence: Int)? {
        guard token.kind == .mark || token.kind == .word else { return nil }
        if token.text == "is" { return (nil, BinaryOperator.typeCheckPrecedence) }
        return BinaryOperator(rawValue: token.text).map { ($0, $0.precedence) }
    }

    private mutating func typeCheck(
        of value: Expression,
        at place: SourceRange,
        start: SourceRange
    ) throws(RulesIssue) -> Expression {
        guard token.kind == .word, let type = TypeName(rawValue: token.text) else {
            let types = TypeName.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw error("mismatched input '\(token.text)' expecting {\(types)}")
        }
        advance()
        return try made(
            .typeCheck(value, type),
            range: value.range.joined(to: former.range),
            place: place,
            start: start,
            name: former.range
        )
    }

    private mutating func unary() throws(RulesIssue) -> Expression {
        guard isAt("-") || isAt("!"), let sign = UnaryOperator(rawValue: token.text) else { return try access() }
        let place = token.range
        advance()
        if sign == .negation, token.kind == .integer, let least = try leastInteger(after: place) { return least }
        let operand = try nested(Self.tooComplex) { parser throws(RulesIssue) in
            // A minus is followed by no other sign.
            sign == .not ? try parser.unary() : try parser.access(isOperand: true)
        }
        return try made(
            .unary(sign, operand),
            range: place.joined(to: operand.range),
            place: place,
            start: place,
            name: place
        )
    }

    /// The one number that has no positive counterpart.
    private mutating func leastInteger(after sign: SourceRange) throws(RulesIssue) -> Expression? {
        guard token.text == "9223372036854775808" else { return nil }
        advance()
        let range = sign.joined(to: former.range)
        return try made(.literal(.integer(.min)), range: range, place: range, start: sign)
    }

    /// Reads a value and what is taken of it.
    ///
    /// Parentheses around the operand of a minus do not count in a report of coverage, nor do those around an owner.
    private mutating func access(isOperand: Bool = false) throws(RulesIssue) -> Expression {
        let start = token.range
        let isInParentheses = isAt("(")
        var value = try primary()
        guard isAt(".") || isAt("[") else {
            if isInParentheses, !isOperand { value.span.parenthesis = start }
            return value
        }
        while isAt(".") || isAt("[") {
            let place = token.range
            value = take(".") ? try member(of: value, start: start) : try element(of: value, at: place, start: start)
        }
        return value
    }

    private mutating func member(of owner: Expression, start: SourceRange) throws(RulesIssue) -> Expression {
        guard token.kind == .word, token.text != "rules_version" else { throw unexpected() }
        let name = token
        advance()
        guard isAt("(") else {
            return try made(
                .member(owner, name.text),
                range: owner.range.joined(to: name.range),
                place: name.range,
                start: start,
                name: name.range
            )
        }
        let arguments = try arguments()
        return try made(
            .call(receiver: owner, name: name.text, arguments),
            range: owner.range.joined(to: former.range),
            place: name.range,
            start: start,
            name: name.range
        )
    }

    private mutating func element(
        of owner: Expression,
        at place: SourceRange,
        start: SourceRange
    ) throws(RulesIssue) -> Expression {
        advance()
        let from = isAt(":") ? nil : try expression()
        let isSlice = take(":")
        let to = isSlice && !isAt("]") ? try expression() : nil
        try expect("]")
        let range = owner.range.joined(to: former.range)
        if isSlice { return try made(.slice(owner, from: from, to: to), range: range, place: place, start: start) }
        guard let from else { throw unexpected() }
        return try made(.index(owner, from), range: range, place: place, start: start)
    }

    private mutating func arguments() throws(RulesIssue) -> [Expression] {
        try expect("(")
        return try elements(until: ")")
    }

    /// Reads values with commas between them, and perhaps one behind the last.
    private mutating func elements(until end: String) throws(RulesIssue) -> [Expression] {
        var elements: [Expression] = []
        while !take(end) {
            if !elements.isEmpty {
                try expect(",")
                if take(end) { break }
            }
            elements.append(try expression())
        }
        return elements
    }

    private mutating func primary() throws(RulesIssue) -> Expression {
        let start = token.range
        switch (token.kind, token.text) {
        case (.integer, _), (.float, _), (.string, _), (.bytes, _):
            return try made(.literal(literal()), range: start, place: start, start: start)
        case (.word, "true"), (.word, "false"), (.word, "null"):
            defer { advance() }
            let value: RulesValue = token.text == "null" ? .null : .boolean(token.text == "true")
            return try made(.literal(value), range: start, place: start, start: start)
        case (.word, _):
            return try variableOrCall()
        case (.mark, "("):
            advance()
            var inner = try expression()
            try expect(")")
            inner.innerOpening = inner.opening
            inner.opening = start
            inner.height += 1
            guard inner.height <= RulesLimits.expressionHeightMax else { throw error(Self.tooComplex) }
            return inner
        case (.mark, "["):
            advance()
            let elements = try elements(until: "]")
            return try made(.list(elements), range: start.joined(to: former.range), place: start, start: start)
        case (.mark, "{"):
            return try map()
        case (.pathSegment, _), (.mark, "/"):
            return try path()
        default:
            throw unexpected()
        }
    }

    private mutating func variableOrCall() throws(RulesIssue) -> Expression {
        let name = try name()
        guard isAt("(") else {
            return try made(
                .variable(name.text),
                range: name.range,
                place: name.range,
                start: name.range,
                name: name.range
            )
        }
        let arguments = try arguments()
        return try made(
            .call(receiver: nil, name: name.text, arguments),
            range: name.range.joined(to: former.range),
            place: name.range,
            start: name.range,
            name: name.range
        )
    }

    private mutating func map() throws(RulesIssue) -> Expression {
        let start = token.range
        advance()
        var entries: [(key: Expression, value: Expression)] = []
        while !take("}") {
            if !entries.isEmpty {
                try expect(",")
                if take("}") { break }
            }
            let key = try expression()
            try expect(":")
            entries.append((key, try expression()))
        }
        return try made(.map(entries), range: start.joined(to: former.range), place: start, start: start)
    }
}
