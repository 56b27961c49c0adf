// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Evaluates the conditions of one pass over the rules, for one request.
struct Evaluation: ~Copyable {
    let rules: CompiledRules
    let documents: any RulesDocuments
    let phase: RulesPhase
    /// The values of the captures of the matches around the condition.
    var captures: [RulesValue] = []
    /// The values of members of `request` and `resource` that were asked for, by their numbers: they do not change in a pass.
    private var attributes: [RulesValue?]
    /// Parameters and variables of the functions that are being called; those of the innermost are last.
    var locals: [RulesValue] = []
    var frameStart = 0
    var expressionCount = 0
    var depth = 0
    /// Something was asked for that depends on documents not read in this pass.
    private(set) var hasMetUnknown = false
    /// A query's filters leave open what a condition took for certain, such as that a field is missing.
    ///
    /// The official emulator's proof is as credulous (1.19.9, 2026-11).
    var hasTakenForGranted = false
    /// A list or a path has failed for a part that is not its last: operators may meet the parts behind it.
    private(set) var hasLeftOperands = false
    /// The pass ends without a verdict.
    private(set) var isBrokenOff = false
    /// The operands of an evaluation that is repeated as the official evaluator makes it, last the one on top.
    var operands: [RulesValue] = []
    /// The condition has been evaluated before.
    private(set) var isRepeated = false
    /// The values of each node, where they are recorded.
    var recording: PassRecording?

    /// More expressions were to be evaluated than a pass may: from then on nothing has a value.
    var isExhausted: Bool { expressionCount > RulesLimits.expressionCountMax }

    /// The values of `request` and of `resource`.
    var inputs: (request: RulesValue, resource: RulesValue) {
        (attributes[RulesPlan.request] ?? .null, attributes[RulesPlan.resource] ?? .null)
    }

    init(
        of rules: CompiledRules,
        request: RulesValue,
        resource: RulesValue,
        documents: any RulesDocuments,
        phase: RulesPhase
    ) {
        (self.rules, self.documents, self.phase) = (rules, documents, phase)
        attributes = Array(repeating: nil, count: rules.plan.attributes.count)
        attributes[RulesPlan.request] = request
        attributes[RulesPlan.resource] = resource
    }

    /// Evaluates a condition.
    ///
    /// Where it has left operands, the value is that of the official evaluator, which takes them for its own.
    mutating func value(ofCondition number: Int32) -> RulesValue {
        let count = expressionCount
        hasLeftOperands = false
        let value = evaluate(number)
        guard hasLeftOperands, !isBrokenOff, !isExhausted else { return value }
        (expressionCount, isRepeated) = (count, true)
        defer { isRepeated = false }
        return repeatedValue(of: number)
    }

    /// Evaluates a node.
    ///
    /// Operands are all evaluated, from right to left; of several failures the leftmost is the result.
    mutating func evaluate(_ number: Int32) -> RulesValue {
        expressionCount += 1
        guard !isExhausted, !isBrokenOff else {
            return .failure(isExhausted ? .expressionLimit : .unknown)
        }
        guard depth < RulesLimits.evaluationDepthMax else { return .failure(.depthLimit) }
        depth += 1
        let value = evaluate(rules.plan.nodes[Int(number)])
        depth -= 1
        return recording == nil ? value : recorded(value, of: number)
    }

    mutating func evaluate(_ node: PlanNode) -> RulesValue {
        switch node.kind {
        case .constant: return rules.plan.constants[Int(node.a)]
        case .attribute:
            // Each member is an expression of its own, and so is what the first is one of.
            expressionCount += Int(node.b)
            return isExhausted ? .failure(.expressionLimit) : attribute(Int(node.a))
        case .capture: return captures[Int(node.a)]
        case .local: return locals[frameStart + Int(node.a)]
        case .undefined: return .failure(.nullValue)
        case .member: return evaluate(node.a).member(rules.plan.names[Int(node.b)])
        case .index: return index(node)
        case .slice: return slice(node)
        case .list: return list(node)
        case .map: return map(node)
        case .path: return path(node)
        case .negation: return evaluate(node.a).negated
        case .not: return evaluate(node.a).opposite
        case .binary: return binary(node)
        case .and: return joined(node, decidedBy: false)
        case .or: return joined(node, decidedBy: true)
        case .typeCheck: return typeCheck(node)
        case .conditional: return conditional(node)
        case .function: return callFunction(node)
        case .builtin: return callBuiltin(node)
        case .method: return callMethod(node)
        case .unknownFunction:
            _ = values(from: node.b, count: node.c)
            return .failure(.functionNotFound(rules.plan.names[Int(node.a)]))
        case .unknownMethod: return callUnknownMethod(node)
        case .binding: preconditionFailure("a binding is evaluated by the call of its function")
        }
    }

    /// The value of `request`, of `resource`, or of a member of them.
    mutating func attribute(_ number: Int) -> RulesValue {
        if let value = attributes[number] {
            if number == RulesPlan.resource, case .failure(.unknown) = value { hasMetUnknown = true }
            return value
        }
        let asked = rules.plan.attributes[number]
        let value = attribute(asked.owner).member(asked.name)
        attributes[number] = value
        return value
    }

    // MARK: Operators

    private mutating func binary(_ node: PlanNode) -> RulesValue {
        let right = evaluate(node.b)
        return combined(evaluate(node.a), right, by: node.binary)
    }

    /// The value of an operator between two values.
    mutating func combined(_ left: RulesValue, _ right: RulesValue, by operation: BinaryOperator) -> RulesValue {
        left.combined(with: right, by: operation, takingForGranted: &hasTakenForGranted)
    }

    /// Whether both are true, or either: false decides the one, true the other, whatever stands beside it.
    private mutating func joined(_ node: PlanNode, decidedBy decisive: Bool) -> RulesValue {
        expressionCount += 1
        let left = evaluate(node.a)
        if case .boolean(decisive) = left {
            skip(node.b)
            return left
        }
        let right = evaluate(node.b)
        if isExhausted { return .failure(.expressionLimit) }
        if case .boolean = left {
            recording?.pointsToStart = true
            return right.asBoolean
        }
        if case .boolean(decisive) = right { return right }
        return left.asBoolean
    }

    private mutating func conditional(_ node: PlanNode) -> RulesValue {
        expressionCount += 1
        switch evaluate(node.a).asBoolean {
        case .boolean(let isTrue):
            skip(isTrue ? node.c : node.b)
            return evaluate(isTrue ? node.b : node.c)
        case let failure:
            skip(node.b)
            skip(node.c)
            return failure
        }
    }

    private mutating func typeCheck(_ node: PlanNode) -> RulesValue {
        expressionCount += 1
        return checked(evaluate(node.a), node.type)
    }

    /// Whether a value is of a type.
    mutating func checked(_ value: RulesValue, _ type: TypeName) -> RulesValue {
        value.checked(type, takingForGranted: &hasTakenForGranted)
    }

    // MARK: Composites

    private mutating func index(_ node: PlanNode) -> RulesValue {
        let index = evaluate(node.b)
        return evaluate(node.a).withoutFailure { $0.element(at: index) }
    }

    private mutating func slice(_ node: PlanNode) -> RulesValue {
        let to = node.c >= 0 ? evaluate(node.c) : .null
        let from = node.b >= 0 ? evaluate(node.b) : .null
        return evaluate(node.a).withoutFailure { $0.elements(from: from, to: to) }
    }

    /// The values of operands.
    mutating func values(from first: Int32, count: Int32) -> [RulesValue] {
        if count == 0 { return [] }
        if count == 1 { return [evaluate(rules.plan.operands[Int(first)])] }
        var values = [RulesValue](repeating: .null, count: Int(count))
        for place in stride(from: Int(count) - 1, through: 0, by: -1) {
            values[place] = evaluate(rules.plan.operands[Int(first) + place])
        }
        return values
    }

    private mutating func list(_ node: PlanNode) -> RulesValue {
        let values = values(from: node.a, count: node.b)
        guard let first = values.firstIndex(where: \.isFailure) else { return .list(values) }
        if first < values.count - 1 { hasLeftOperands = true }
        return values[first]
    }

    private mutating func map(_ node: PlanNode) -> RulesValue {
        map(of: values(from: node.a, count: node.b), node)
    }

    /// The map of keys and values in turn; failures of keys come before those of values.
    func map(of values: [RulesValue], _ node: PlanNode) -> RulesValue {
        let (value, place) = RulesValue.map(of: values)
        return place.map { located(value, atOperand: node.a + Int32($0)) } ?? value
    }

    private mutating func path(_ node: PlanNode) -> RulesValue {
        let made = rules.plan.paths[Int(node.a)].value(with: values(from: node.b, count: node.c))
        expressionCount += made.literalCount
        if made.leavesOperands { hasLeftOperands = true }
        return made.failed.map { located(made.value, atOperand: node.b + Int32($0)) } ?? made.value
    }

    // MARK: Ends

    /// Ends the pass, as the official evaluator fails here.
    mutating func breakOff() { isBrokenOff = true }

    /// Notes that something was asked for which depends on documents not read in this pass.
    mutating func meetUnknown() -> RulesValue {
        hasMetUnknown = true
        return .failure(.unknown)
    }
}

extension [RulesValue] {
    /// The failure farthest to the left.
    var firstFailure: RulesValue? { first(where: \.isFailure) }
}
