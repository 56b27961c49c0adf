// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension RulesParser {
    /// Reads the whole file.
    mutating func ruleset() throws(RulesIssue) -> Ruleset {
        var ruleset = Ruleset()
        var starts = ["function", "import", "service", "rules_version"]
        if isAt("rules_version") {
            ruleset.version = try version()
            starts.removeLast()
        }
        guard starts.contains(token.text) || starts.contains(following.text) else {
            let expected = starts.map { "'\($0)'" }.joined(separator: ", ")
            throw error("mismatched input '\(token.text)' expecting {\(expected)}")
        }
        while token.kind != .end {
            switch token.text {
            case "function": ruleset.functions.append(try function())
            case "service": ruleset.services.append(try service())
            case "import" where ruleset.functions.isEmpty && ruleset.services.isEmpty: try refuseImport()
            default: throw unexpected()
            }
        }
        return ruleset
    }

    private mutating func version() throws(RulesIssue) -> Ruleset.Version {
        let keyword = token
        advance()
        try expect("=")
        guard token.kind == .string else { throw unexpected() }
        let number = string(token)
        advance()
        _ = take(";")
        if let version = Ruleset.Version.allCases.first(where: { "\($0.rawValue)" == number }) { return version }
        remark("Unsupported rules version \(number).", at: keyword.range)
        return .two
    }

    private mutating func refuseImport() throws(RulesIssue) {
        let keyword = token.range
        advance()
        guard token.kind == .string else { throw unexpected() }
        remark("Import statements are not allowed.", at: keyword)
        remark("Module \"\(string(token))\" is not part of the standard library.", at: keyword)
        advance()
        if isAt("as") {
            advance()
            _ = try name()
        }
        _ = take(";")
    }

    private mutating func service() throws(RulesIssue) -> ServiceDeclaration {
        let start = token.range
        advance()
        let name = try serviceName()
        let body = try body(of: "service", allowing: false)
        return ServiceDeclaration(
            name: name.text,
            nameRange: name.range,
            functions: body.functions,
            matches: body.matches,
            range: start.joined(to: former.range)
        )
    }

    private mutating func serviceName() throws(RulesIssue) -> Token {
        guard token.kind == .serviceName else { throw unexpected() }
        defer { advance() }
        return token
    }

    private struct Body {
        var functions: [FunctionDeclaration] = []
        var matches: [MatchDeclaration] = []
        var allows: [AllowDeclaration] = []
    }

    private mutating func body(of kind: String, allowing mayAllow: Bool) throws(RulesIssue) -> Body {
        let start = token.range
        try expect("{")
        var body = Body()
        while !isAt("}") {
            switch token.text {
            case "function": body.functions.append(try function())
            case "match": body.matches.append(try match())
            case "allow" where mayAllow: body.allows.append(try allow())
            case _ where token.kind == .pathSegment: throw error("Missing 'match' keyword before path.")
            default: throw unexpected()
            }
        }
        guard !body.functions.isEmpty || !body.matches.isEmpty || !body.allows.isEmpty else {
            throw text.error("The '\(kind)' body must contain at least one declaration.", at: start)
        }
        advance()
        return body
    }

    private mutating func match() throws(RulesIssue) -> MatchDeclaration {
        try nested("Rule hierarchy is too complex to evaluate safely.") { parser throws(RulesIssue) in
            let start = parser.token.range
            parser.advance()
            let pattern = try parser.pattern()
            let patternRange = SourceRange(start: pattern[0].range.start, end: parser.former.range.end)
            let body = try parser.body(of: "match", allowing: true)
            return MatchDeclaration(
                pattern: pattern,
                functions: body.functions,
                matches: body.matches,
                allows: body.allows,
                range: start.joined(to: parser.former.range),
                patternRange: patternRange
            )
        }
    }

    private mutating func pattern() throws(RulesIssue) -> [PatternSegment] {
        var segments: [PatternSegment] = []
        while token.kind == .pathSegment || isAt("/") {
            let start = token.range
            if token.kind == .pathSegment {
                segments.append(PatternSegment(form: .literal(try literalSegment(token)), range: start))
                advance()
            } else {
                guard isBeforeCapture else {
                    throw error("Forward slash '/' found where identifier or binding expected.")
                }
                advance()
                let (name, isGlob) = try capture()
                segments.append(
                    PatternSegment(
                        form: isGlob ? .glob(name.text) : .capture(name.text),
                        range: start.joined(to: former.range),
                        nameRange: name.range
                    )
                )
            }
        }
        guard !segments.isEmpty else { throw unexpected() }
        refuseRepeated(segments.compactMap { segment in segment.name.map { ($0, segment.nameRange ?? segment.range) } })
        return segments
    }

    private mutating func allow() throws(RulesIssue) -> AllowDeclaration {
        let start = token.range
        advance()
        var methods: [(name: String, range: SourceRange)] = []
        repeat {
            let method = try name()
            methods.append((method.text, method.range))
        } while take(",")
        var condition: Expression?
        var conditionRange: SourceRange?
        if take(":") {
            guard take("if") else { throw error("Missing 'if' before conditional expression.") }
            let conditionStart = token.range
            condition = try wholeExpression()
            conditionRange = conditionStart.joined(to: former.range)
        } else if isAt("if") {
            throw error("Missing ':' before 'if' condition.")
        }
        if !take(";"), !isAt("}"), !["allow", "function", "match"].contains(token.text) { throw unexpected() }
        return AllowDeclaration(
            methods: methods,
            condition: condition,
            conditionRange: conditionRange,
            range: start.joined(to: former.range)
        )
    }

    private mutating func function() throws(RulesIssue) -> FunctionDeclaration {
        let start = token.range
        advance()
        let name = try name()
        let parameters = try parameters()
        try expect("{")
        guard !isAt("}") else { throw error("Missing 'function' body") }
        var variables: [VariableDeclaration] = []
        while isAt("let") {
            let keyword = token.range
            advance()
            let variable = try self.name()
            try expect("=")
            let value = try wholeExpression()
            variables.append(
                VariableDeclaration(
                    keywordRange: keyword,
                    name: variable.text,
                    nameRange: variable.range,
                    value: value
                )
            )
            try expect(";")
        }
        try expect("return")
        let result = try wholeExpression()
        _ = take(";")
        try expect("}")
        return FunctionDeclaration(
            name: name.text,
            nameRange: name.range,
            parameters: parameters,
            variables: variables,
            result: result,
            range: start.joined(to: former.range)
        )
    }

    private mutating func parameters() throws(RulesIssue) -> [(name: String, range: SourceRange)] {
        try expect("(")
        var parameters: [(name: String, range: SourceRange)] = []
        while !isAt(")") {
            if !parameters.isEmpty { try expect(",") }
            let parameter = try name()
            parameters.append((parameter.text, parameter.range))
        }
        advance()
        return parameters
    }
}
