// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Looks for what the grammar does not forbid.
struct RulesChecker {
    let text: SourceText
    let version: Ruleset.Version
    private(set) var issues: [RulesIssue] = []

    /// Checks a file.
    ///
    /// - Returns: All faults, and doubts about its version.
    static func issues(of ruleset: Ruleset, in text: SourceText) -> [RulesIssue] {
        var checker = RulesChecker(text: text, version: ruleset.version)
        if ruleset.version == .one { checker.issues.append(oldVersion) }
        checker.check(ruleset)
        return checker.issues
    }

    private static let oldVersion = RulesIssue(
        severity: .warning,
        text: "Ruleset uses old version (version [1]). Please update to the latest version (version [2]).",
        position: nil
    )

    mutating func refuse(_ message: String, at range: SourceRange) { issues.append(text.error(message, at: range)) }

    // MARK: Declarations

    private mutating func check(_ ruleset: Ruleset) {
        check(ruleset.functions)
        var services: Set<String> = []
        for service in ruleset.services {
            if !services.insert(service.name).inserted {
                refuse("Duplicate service name declaration.", at: service.nameRange)
            }
            check(service.functions)
            for match in service.matches { check(match, in: MatchPlace()) }
        }
        checkCalls(of: ruleset)
    }

    /// The matches around a match.
    private struct MatchPlace {
        var depth = 1
        var length = 0
        var captureCount = 0
        var hasGlob = false
    }

    private mutating func check(_ match: MatchDeclaration, in place: MatchPlace) {
        let keyword = SourceRange(start: match.range.start, end: match.range.start + "match".utf8.count)
        var inner = place
        inner.length += match.pattern.count
        inner.captureCount += match.pattern.count { $0.name != nil }
        checkNames(of: match.pattern)
        checkGlobs(of: match, at: keyword, in: &inner)
        if place.depth > RulesLimits.matchDepthMax {
            if place.depth == RulesLimits.matchDepthMax + 1 {
                refuse("Maximum allowed resource rule depth of 10 is reached.", at: keyword)
            }
        } else if inner.length > RulesLimits.pathLengthMax {
            refuse("Maximum allowed path length of \(RulesLimits.pathLengthMax) is reached.", at: keyword)
        }
        if inner.captureCount > RulesLimits.captureCountMax {
            refuse(
                "Maximum allowed amount of \(RulesLimits.captureCountMax) match field variables is reached.",
                at: keyword
            )
        }
        inner.depth += 1
        check(match.functions)
        for allow in match.allows { allow.condition.map { check($0) } }
        for child in match.matches { check(child, in: inner) }
    }

    private mutating func checkNames(of pattern: [PatternSegment]) {
        for segment in pattern {
            guard let name = segment.name, let range = segment.nameRange else { continue }
            checkVariableName(name, at: range)
        }
    }

    private mutating func checkVariableName(_ name: String, at range: SourceRange) {
        guard Builtin.packages.contains(name) else { return }
        refuse("\(name) is a package and cannot be used as variable name.", at: range)
    }

    private mutating func checkGlobs(of match: MatchDeclaration, at keyword: SourceRange, in place: inout MatchPlace) {
        let globs = match.pattern.filter { if case .glob = $0.form { true } else { false } }
        if version == .one, let glob = globs.first, glob.range != match.pattern.last?.range {
            refuse(
                "Invalid glob match expression. Glob matches are permitted as the last segment in a match declaration path.",
                at: SourceRange(start: glob.range.start, end: glob.range.start + 1)
            )
        }
        let onlyOne = "Invalid glob match expression. Only one glob match is permitted in a match declaration path."
        for glob in globs.dropFirst() {
            refuse(onlyOne, at: SourceRange(start: glob.range.start, end: glob.range.start + 1))
        }
        if place.hasGlob, !globs.isEmpty { refuse(onlyOne, at: keyword) }
        place.hasGlob = place.hasGlob || !globs.isEmpty
    }

    private mutating func check(_ functions: [FunctionDeclaration]) {
        var names: Set<String> = []
        for function in functions {
            if !names.insert(function.name).inserted {
                refuse("Function \(function.name) is already defined.", at: function.nameRange)
            }
            check(function)
        }
    }

    private mutating func check(_ function: FunctionDeclaration) {
        var names: Set<String> = []
        for parameter in function.parameters {
            checkVariableName(parameter.name, at: parameter.range)
            guard !names.insert(parameter.name).inserted else { continue }
            refuse("Variable \(parameter.name) is already defined.", at: parameter.range)
        }
        if function.parameters.count > RulesLimits.parameterCountMax {
            let limit = RulesLimits.parameterCountMax
            refuse(
                "Maximum allowed function arguments of \(limit) for function \(function.name) is reached.",
                at: function.nameRange
            )
        }
        for variable in function.variables {
            checkVariableName(variable.name, at: variable.nameRange)
            if version == .one {
                refuse("Let bindings are not allowed in rules_version=\"1\";", at: variable.nameRange)
            }
            if !names.insert(variable.name).inserted {
                refuse(
                    "The identifier [\(variable.name)] is already bound in the current scope.",
                    at: variable.nameRange
                )
            }
            check(variable.value)
        }
        if function.variables.count > RulesLimits.variableCountMax {
            refuse(
                "Maximum allowed variable count of 10 for a given function has been reached.",
                at: function.variables.dropFirst(RulesLimits.variableCountMax + 1).first?.keywordRange
                    ?? function.result.firstRange
            )
        }
        check(function.result)
    }

    // MARK: Expressions

    /// The methods whose only argument must be a pattern; `replace` has two, so that its own is not looked at.
    private static let searches: Set<String> = ["matches", "split", "replace"]

    private mutating func check(_ expression: Expression) {
        switch expression.form {
        case .variable(let name): checkVariableName(name, at: expression.range)
        case .call(let receiver?, let name, let arguments):
            if receiver.package == nil { check(receiver) }
            if Self.searches.contains(name), arguments.count == 1 { checkPattern(arguments[0]) }
            for argument in arguments { check(argument) }
        default:
            expression.form.visitParts { check($0) }
        }
    }

    private mutating func checkPattern(_ argument: Expression) {
        guard case .literal(.string(let pattern)) = argument.form, Pattern.of(pattern) == nil else { return }
        refuse("Invalid regular expression pattern. Pattern: \(pattern).", at: argument.range)
    }
}
