// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Makes a plan of what was read: names become numbers.
struct RulesPlanner {
    /// The names that mean something at a place.
    private struct Scope {
        /// The path of the matches around, as written.
        var path = ""
        /// The captures of the matches around, in their order.
        var captures: [String] = []
        /// The parameters and variables of the function around.
        var locals: [String] = []
        /// The functions that may be called, by name.
        var functions: [String: Int32] = [:]
    }

    private let text: SourceText
    /// The service whose rules are being planned.
    private var service: String
    private var plan = RulesPlan()
    private var attributes: [PlanAttribute: Int] = [:]
    /// Whether each node may look at the document that is asked for.
    private var looksAtDocument: [Bool] = []

    /// Makes the plan of a service.
    static func plan(_ ruleset: Ruleset, service name: String, of text: SourceText) -> RulesPlan {
        var planner = RulesPlanner(text: text, service: name)
        planner.plan.version = ruleset.version
        var scope = Scope()
        planner.declare(ruleset.functions, in: &scope)
        var matches: [PlanMatch] = []
        for service in ruleset.services {
            let ruleCount = planner.plan.rules.count
            planner.service = service.name
            var inner = scope
            planner.declare(service.functions, in: &inner)
            let own = service.matches.map { planner.match($0, in: inner) }
            if service.name == name {
                matches += own
            } else {
                // Reports show the conditions of other services, though they are never evaluated.
                planner.plan.rules.removeSubrange(ruleCount...)
            }
        }
        planner.plan.root = planner.plan.list(matches)
        return planner.plan
    }

    private init(text: SourceText, service: String) { (self.text, self.service) = (text, service) }

    private mutating func match(_ match: MatchDeclaration, in scope: Scope) -> PlanMatch {
        var inner = scope
        inner.captures += match.pattern.compactMap(\.name)
        plan.captureCountMax = max(plan.captureCountMax, inner.captures.count)
        inner.path += match.pattern.map { "/\($0.text)" }.joined()
        declare(match.functions, in: &inner)
        let allows = match.allows.map { allow($0, in: inner) }
        let inMatch = plan.list(match.matches.map { self.match($0, in: inner) })
        plan.roots += allows.compactMap(\.condition)
        plan.allows += allows
        for segment in match.pattern { plan.segments.append(self.segment(segment.form)) }
        return PlanMatch(
            pattern: (plan.segments.count - match.pattern.count)..<plan.segments.count,
            allows: (plan.allows.count - allows.count)..<plan.allows.count,
            inner: inMatch
        )
    }

    private mutating func segment(_ form: PatternSegment.Form) -> PlanMatch.Segment {
        switch form {
        case .literal(let name): .literal(plan.text(name))
        case .capture: .capture
        case .glob: .glob
        }
    }

    private mutating func allow(_ allow: AllowDeclaration, in scope: Scope) -> PlanAllow {
        let position = text.position(of: allow.conditionRange ?? allow.range)
        let first = allow.conditionRange ?? allow.methods.first?.range ?? allow.range
        plan.rules.append(
            PlanRule(
                path: scope.path,
                methods: allow.methods.map(\.name),
                line: position.line,
                firstLine: text.line(of: first.start)
            )
        )
        let condition = allow.condition.map { node($0, in: scope) }
        return PlanAllow(
            number: plan.rules.count - 1,
            methods: RulesMethods(
                allow.methods.flatMap { RulesMethod.named($0.name.lowercased()) ?? [] }.map(RulesMethods.init)
            ),
            condition: condition,
            mayBreakOff: condition.map(plan.mayBreakOff) ?? false,
            line: position.line,
            column: position.column
        )
    }

    /// Makes functions known to one another, and then makes them.
    private mutating func declare(_ functions: [FunctionDeclaration], in scope: inout Scope) {
        for function in functions {
            scope.functions[function.name] = Int32(plan.functions.count)
            plan.functions.append(PlanFunction(name: function.name, parameters: [], variables: [], result: 0))
        }
        for function in functions {
            guard let number = scope.functions[function.name] else { continue }
            let planned = make(function, in: scope)
            plan.functions[Int(number)] = planned
            plan.roots.append(planned.bindings.first ?? planned.result)
        }
    }

    private mutating func make(_ function: FunctionDeclaration, in scope: Scope) -> PlanFunction {
        var inner = scope
        inner.locals = function.parameters.map(\.name)
        var variables: [Int32] = []
        for variable in function.variables {
            variables.append(node(variable.value, in: inner))
            inner.locals.append(variable.name)
        }
        let result = node(function.result, in: inner)
        return PlanFunction(
            name: function.name,
            parameters: function.parameters.map(\.name),
            variables: variables,
            bindings: bindings(of: variables, before: result, in: function),
            result: result
        )
    }

    /// Makes the nodes of `let`, each of which ends with the function.
    private mutating func bindings(
        of variables: [Int32],
        before result: Int32,
        in function: FunctionDeclaration
    ) -> [Int32] {
        var bindings: [Int32] = []
        var (next, end) = (result, function.result.span.range.end)
        for (variable, value) in zip(function.variables, variables).reversed() {
            end = max(end, variable.value.span.range.end)
            let span = TokenSpan(start: variable.keywordRange, partsEnd: end)
            next = append(PlanNode(kind: .binding, a: value, b: next), at: span)
            bindings.insert(next, at: 0)
        }
        return bindings
    }

    // MARK: Expressions

    private mutating func append(_ node: PlanNode, at span: TokenSpan) -> Int32 {
        let number = Int32(plan.nodes.count)
        plan.nodes.append(node)
        plan.spans.append(span)
        looksAtDocument.append(mayLookAtDocument(node, number))
        plan.nodes[Int(number)].mayLeaveOperands =
            plan.partsBeforeLast(of: node).contains { looksAtDocument[Int($0)] }
        return number
    }

    private func mayLookAtDocument(_ node: PlanNode, _ number: Int32) -> Bool {
        switch node.kind {
        case .attribute: plan.isOfDocument(attribute: Int(node.a))
        // Variables and functions may.
        case .local, .function: true
        case .constant, .capture, .undefined: false
        case .binary, .and, .or: looksAtDocument[Int(node.a)] || looksAtDocument[Int(node.b)]
        default: plan.children(of: number).contains { looksAtDocument[Int($0)] }
        }
    }

    private mutating func name(_ name: String) -> Int32 {
        plan.names.append(name)
        return Int32(plan.names.count - 1)
    }

    /// Lists nodes; returns the first place.
    private mutating func list(_ expressions: [Expression], in scope: Scope) -> Int32 {
        let numbers = expressions.map { node($0, in: scope) }
        plan.operands += numbers
        return Int32(plan.operands.count - numbers.count)
    }

    private mutating func node(_ expression: Expression, in scope: Scope) -> Int32 {
        append(make(expression.form, in: scope), at: expression.span)
    }

    private mutating func make(_ form: Expression.Form, in scope: Scope) -> PlanNode {
        switch form {
        case .literal(let value):
            plan.constants.append(value)
            return PlanNode(kind: .constant, a: Int32(plan.constants.count - 1))
        case .list(let elements):
            return PlanNode(kind: .list, a: list(elements, in: scope), b: Int32(elements.count))
        case .map(let entries):
            let operands = entries.flatMap { [$0.key, $0.value] }
            return PlanNode(kind: .map, a: list(operands, in: scope), b: Int32(operands.count))
        case .path(let parts):
            return path(parts, in: scope)
        case .variable(let name):
            return variable(name, in: scope)
        case .member(let owner, let member):
            return self.member(member, of: node(owner, in: scope))
        case .index(let owner, let index):
            return PlanNode(kind: .index, a: node(owner, in: scope), b: node(index, in: scope))
        case .slice(let owner, let from, let to):
            return PlanNode(
                kind: .slice,
                a: node(owner, in: scope),
                b: from.map { node($0, in: scope) } ?? -1,
                c: to.map { node($0, in: scope) } ?? -1
            )
        case .call(let receiver, let name, let arguments):
            return call(name, on: receiver, with: arguments, in: scope)
        case .unary(let sign, let operand):
            return PlanNode(kind: sign == .not ? .not : .negation, a: node(operand, in: scope))
        case .binary(let binary, let left, let right):
            let kind: PlanNode.Kind =
                switch binary {
                case .and: .and
                case .or: .or
                default: .binary
                }
            return PlanNode(kind: kind, binary: binary, a: node(left, in: scope), b: node(right, in: scope))
        case .typeCheck(let value, let type):
            return PlanNode(kind: .typeCheck, type: type, a: node(value, in: scope))
        case .conditional(let condition, let then, let otherwise):
            return PlanNode(
                kind: .conditional,
                a: node(condition, in: scope),
                b: node(then, in: scope),
                c: node(otherwise, in: scope)
            )
        }
    }

    private func variable(_ name: String, in scope: Scope) -> PlanNode {
        if let local = scope.locals.lastIndex(of: name) { return PlanNode(kind: .local, a: Int32(local)) }
        if let capture = scope.captures.lastIndex(of: name) { return PlanNode(kind: .capture, a: Int32(capture)) }
        switch name {
        case "request": return PlanNode(kind: .attribute, a: Int32(RulesPlan.request), b: 0)
        case "resource": return PlanNode(kind: .attribute, a: Int32(RulesPlan.resource), b: 0)
        default: return PlanNode(kind: .undefined)
        }
    }

    private mutating func member(_ member: String, of owner: Int32) -> PlanNode {
        let node = plan.nodes[Int(owner)]
        guard node.kind == .attribute else { return PlanNode(kind: .member, a: owner, b: name(member)) }
        let attribute = PlanAttribute(owner: Int(node.a), name: member)
        let number = attributes[attribute] ?? plan.attributes.count
        if number == plan.attributes.count {
            attributes[attribute] = number
            plan.attributes.append(attribute)
        }
        return PlanNode(kind: .attribute, a: Int32(number), b: node.b + 1, c: owner)
    }

    private mutating func path(_ parts: [PathPart], in scope: Scope) -> PlanNode {
        var computed: [Expression] = []
        var planned: [PlanPath.Part] = []
        for part in parts {
            switch part {
            case .literal(let name): planned.append(.literal(name))
            case .capture(let name): planned.append(.capture(name))
            case .glob(let name): planned.append(.glob(name))
            case .computed(let expression):
                planned.append(.computed)
                computed.append(expression)
            }
        }
        plan.paths.append(PlanPath(parts: planned))
        return PlanNode(
            kind: .path,
            a: Int32(plan.paths.count - 1),
            b: list(computed, in: scope),
            c: Int32(computed.count)
        )
    }

    private mutating func call(
        _ called: String,
        on receiver: Expression?,
        with arguments: [Expression],
        in scope: Scope
    ) -> PlanNode {
        let count = Int32(arguments.count)
        guard let receiver else {
            if let function = scope.functions[called] {
                return PlanNode(kind: .function, a: function, b: list(arguments, in: scope), c: count)
            }
            return builtin(called, with: arguments, in: scope)
        }
        if case .variable(let package) = receiver.form, Builtin.packages(of: service).contains(package) {
            return builtin("\(package).\(called)", with: arguments, in: scope)
        }
        guard let method = Method(rawValue: called) else {
            let first = list([receiver] + arguments, in: scope)
            return PlanNode(kind: .unknownMethod, a: name(called), b: first, c: count + 1)
        }
        let owner = node(receiver, in: scope)
        return PlanNode(kind: .method, method: method, a: owner, b: list(arguments, in: scope), c: count)
    }

    private mutating func builtin(_ called: String, with arguments: [Expression], in scope: Scope) -> PlanNode {
        let (first, count) = (list(arguments, in: scope), Int32(arguments.count))
        guard let builtin = Builtin(named: called, of: service) else {
            return PlanNode(kind: .unknownFunction, a: name(called), b: first, c: count)
        }
        return PlanNode(kind: .builtin, builtin: builtin, b: first, c: count)
    }
}
