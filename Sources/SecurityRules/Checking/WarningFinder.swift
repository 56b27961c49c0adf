// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Doubts about a file of rules whose syntax is right: names, and types that cannot fit.
///
/// Types are checked from the outside: an expression is needed for something, and so are its operands. A need of a variable
/// is one of its value; nothing follows from a value for the variable (official emulator 1.19.9, 2026-11).
struct WarningFinder {
    /// A function, and what its names mean.
    struct Function {
        let declaration: FunctionDeclaration
        var scope = Scope()
        /// The services with conditions that call it.
        var services: Set<String> = []
        var isInService = false
        var isCalled = false
    }

    /// The names that mean something at a place.
    struct Scope {
        var captures: [String: StaticType] = [:]
        var functions: [String: Int] = [:]
        /// `nil` outside of services.
        var service: String?
    }

    /// The needs of a function's parameters, in the end, when its result is needed for something.
    struct Need: Hashable {
        let function: Int
        let demand: [StaticType]?
    }

    let text: SourceText
    var functions: [Function] = []
    var conditions: [(condition: Expression, scope: Scope, services: Set<String>)] = []
    var issues: [RulesIssue] = []
    /// The levels of expressions that are looked into at this moment, also of those that called functions return.
    var depth = 0
    var knownNeeds: [Need: [[StaticType]?]] = [:]
    var knownResults: [Int: [StaticType]?] = [:]

    /// Finds the doubts about a file.
    static func warnings(about ruleset: Ruleset, of text: SourceText) -> [RulesIssue] {
        var finder = WarningFinder(text: text)
        finder.read(ruleset)
        finder.findServices()
        finder.checkNames()
        finder.checkTypes()
        return finder.issues
    }

    private init(text: SourceText) { self.text = text }

    mutating func warn(_ message: String, at range: SourceRange) {
        issues.append(RulesIssue(severity: .warning, text: message, position: text.position(of: range)))
    }

    // MARK: Declarations

    private mutating func read(_ ruleset: Ruleset) {
        var scope = Scope()
        declare(ruleset.functions, in: &scope)
        for service in ruleset.services {
            if service.name != "cloud.firestore", service.name != "firebase.storage" {
                warn("Invalid service name: \(service.name).", at: service.nameRange)
            }
            var inner = scope
            inner.service = service.name
            declare(service.functions, in: &inner)
            for match in service.matches { read(match, in: inner, version: ruleset.version) }
        }
    }

    private mutating func read(_ match: MatchDeclaration, in scope: Scope, version: Ruleset.Version) {
        var inner = scope
        for segment in match.pattern {
            guard let name = segment.name else { continue }
            if case .glob = segment.form { inner.captures[name] = .path } else { inner.captures[name] = .string }
        }
        if version == .one, inner.captures.values.contains(.path), !match.matches.isEmpty,
            match.pattern.contains(where: { if case .glob = $0.form { true } else { false } })
        {
            let keyword = SourceRange(start: match.range.start, end: match.range.start + "match".utf8.count)
            warn("Glob(**) resource rules should not have child resource rules.", at: keyword)
        }
        declare(match.functions, in: &inner)
        for allow in match.allows {
            let unknown = allow.methods.filter { !isMethod($0.name, of: scope.service) }
            for method in unknown { warn("Invalid method name: \(method.name).", at: method.range) }
            // A service knows nothing of a condition without a method.
            let service = unknown.count < allow.methods.count ? scope.service : nil
            allow.condition.map { conditions.append(($0, inner, service.map { [$0] } ?? [])) }
        }
        for child in match.matches { read(child, in: inner, version: version) }
    }

    private func isMethod(_ name: String, of service: String?) -> Bool {
        guard service == "cloud.firestore" || service == "firebase.storage" else { return false }
        return Self.methods.contains(name.lowercased())
    }

    private static let methods: Set<String> = ["create", "delete", "get", "list", "read", "update", "write"]

    private mutating func declare(_ declarations: [FunctionDeclaration], in scope: inout Scope) {
        let first = functions.count
        var names: Set<String> = []
        for declaration in declarations where names.insert(declaration.name).inserted {
            scope.functions[declaration.name] = functions.count
            functions.append(Function(declaration: declaration))
        }
        for number in first..<functions.count {
            functions[number].scope = scope
            functions[number].isInService = scope.service != nil
        }
    }

    // MARK: Calls

    /// Finds from where each function is called.
    private mutating func findServices() {
        var open = Array(functions.indices)
        let mentioned = functions.map { function in
            var names: [String] = []
            for expression in function.declaration.expressions { expression.collectNames(into: &names) }
            return names
        }
        for (condition, scope, services) in conditions {
            var names: [String] = []
            condition.collectNames(into: &names)
            for name in names { mark(name, in: scope, from: services, &open) }
        }
        while let number = open.popLast() {
            let function = functions[number]
            for name in mentioned[number] { mark(name, in: function.scope, from: function.services, &open) }
        }
    }

    private mutating func mark(_ called: String, in scope: Scope, from services: Set<String>, _ open: inout [Int]) {
        guard let number = scope.functions[called] else { return }
        functions[number].isCalled = true
        guard !services.isSubset(of: functions[number].services) else { return }
        functions[number].services.formUnion(services)
        open.append(number)
    }
}

extension Expression {
    /// Collects the names of functions and methods that it calls; a method, too, counts as a use of the function of its name.
    fileprivate func collectNames(into names: inout [String]) {
        if case .call(_, let name, _) = form { names.append(name) }
        form.visitParts { $0.collectNames(into: &names) }
    }
}

extension FunctionDeclaration {
    /// The values of its variables, and its result.
    var expressions: [Expression] { variables.map(\.value) + [result] }
}
