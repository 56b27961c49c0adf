// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Evaluates the conditions of one pass over the rules, for one request.
final class Evaluation {
    let plan: RulesPlan
    let request: RulesValue
    let resource: RulesValue
    let documents: any RulesDocuments
    /// Whether rules may look at documents in this pass; without it what depends on them is unknown.
    let readsDocuments: Bool
    /// The values of the captures of the matches around the condition.
    var captures: [RulesValue] = []
    /// Parameters and variables of the functions that are being called; those of the innermost are last.
    private var locals: [RulesValue] = []
    private var frameStart = 0
    private var expressionCount = 0
    private var depth = 0
    /// Something was asked for that depends on documents not read in this pass.
    private(set) var hasMetUnknown = false

    /// More expressions were to be evaluated than a pass may: from then on nothing has a value.
    var isExhausted: Bool { expressionCount > RulesLimits.expressionCountMax }

    init(
        _ plan: RulesPlan,
        request: RulesValue,
        resource: RulesValue,
        documents: any RulesDocuments,
        readsDocuments: Bool
    ) {
        (self.plan, self.request, self.resource) = (plan, request, resource)
        (self.documents, self.readsDocuments) = (documents, readsDocuments)
    }

    /// Evaluates a node.
    ///
    /// Operands are all evaluated, from right to left; of several failures the leftmost is the result.
    func evaluate(_ number: Int32) -> RulesValue {
        expressionCount += 1
        guard !isExhausted else { return .failure(.expressionLimit) }
        guard depth < RulesLimits.evaluationDepthMax else { return .failure(.depthLimit) }
        depth += 1
        defer { depth -= 1 }
        return evaluate(plan.nodes[Int(number)])
    }

    private func evaluate(_ node: PlanNode) -> RulesValue {
        switch node.kind {
        case .constant: return plan.constants[Int(node.a)]
        case .request: return request
        case .resource:
            if case .failure(.unknown) = resource { hasMetUnknown = true }
            return resource
        case .capture: return captures[Int(node.a)]
        case .local: return locals[frameStart + Int(node.a)]
        case .undefined: return .failure(.nullValue)
        case .member: return evaluate(node.a).member(plan.names[Int(node.b)])
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
            return .failure(.functionNotFound(plan.names[Int(node.a)]))
        case .unknownMethod: return callUnknownMethod(node)
        }
    }

    // MARK: Operators

    private func binary(_ node: PlanNode) -> RulesValue {
        let right = evaluate(node.b)
        let left = evaluate(node.a)
        if node.binary == .isIn { return left.isIn(right) }
        if left.isFailure { return left }
        if right.isFailure { return right }
        return left.combined(with: right, by: node.binary)
    }

    /// Whether both are true, or either: false decides the one, true the other, whatever stands beside it.
    private func joined(_ node: PlanNode, decidedBy decisive: Bool) -> RulesValue {
        expressionCount += 1
        let left = evaluate(node.a).asBoolean
        if case .boolean(decisive) = left { return left }
        let right = evaluate(node.b).asBoolean
        if isExhausted { return .failure(.expressionLimit) }
        if case .boolean(decisive) = right { return right }
        return left.isFailure ? left : right
    }

    private func conditional(_ node: PlanNode) -> RulesValue {
        expressionCount += 1
        switch evaluate(node.a).asBoolean {
        case .boolean(let isTrue): return evaluate(isTrue ? node.b : node.c)
        case let failure: return failure
        }
    }

    private func typeCheck(_ node: PlanNode) -> RulesValue {
        expressionCount += 1
        return evaluate(node.a).withoutFailure { .boolean($0.isOf(node.type)) }
    }

    // MARK: Composites

    private func index(_ node: PlanNode) -> RulesValue {
        let index = evaluate(node.b)
        return evaluate(node.a).withoutFailure { $0.element(at: index) }
    }

    private func slice(_ node: PlanNode) -> RulesValue {
        let to = node.c >= 0 ? evaluate(node.c) : .null
        let from = node.b >= 0 ? evaluate(node.b) : .null
        return evaluate(node.a).withoutFailure { $0.elements(from: from, to: to) }
    }

    /// The values of operands.
    private func values(from first: Int32, count: Int32) -> [RulesValue] {
        if count == 0 { return [] }
        if count == 1 { return [evaluate(plan.operands[Int(first)])] }
        var values = [RulesValue](repeating: .null, count: Int(count))
        for place in stride(from: Int(count) - 1, through: 0, by: -1) {
            values[place] = evaluate(plan.operands[Int(first) + place])
        }
        return values
    }

    private func list(_ node: PlanNode) -> RulesValue {
        let values = values(from: node.a, count: node.b)
        return values.firstFailure ?? .list(values)
    }

    /// Failures of keys come before those of values.
    private func map(_ node: PlanNode) -> RulesValue {
        let values = values(from: node.a, count: node.b)
        var names: [String] = []
        for place in stride(from: 0, to: values.count, by: 2) {
            guard case .string(let name) = values[place] else {
                return values[place].withoutFailure { .failure(.type(received: $0.typeName, expected: "string")) }
            }
            names.append(name)
        }
        if let failure = values.firstFailure { return failure }
        var entries: [String: RulesValue] = [:]
        var order: [String] = []
        for (place, name) in names.enumerated() {
            if entries.updateValue(values[2 * place + 1], forKey: name) == nil { order.append(name) }
        }
        return .map(RulesMap(entries, order: order))
    }

    private func path(_ node: PlanNode) -> RulesValue {
        let parts = plan.paths[Int(node.a)].parts
        var segments: [RulesPath.Segment] = []
        segments.reserveCapacity(parts.count)
        var operands = values(from: node.b, count: Int32(parts.count { $0.isComputed }))[...]
        for part in parts {
            switch part {
            case .literal(let name):
                expressionCount += 1
                segments.append(.literal(name))
            case .capture(let name): segments.append(.capture(name, bound: nil))
            case .glob(let name): segments.append(.glob(name, bound: nil))
            case .computed:
                let value = operands.removeFirst()
                if case .path(let path) = value {
                    segments += path.segments
                } else {
                    guard case .string(let name) = value.asText else { return value.asText }
                    segments.append(.literal(name))
                }
            }
        }
        return .path(RulesPath(segments))
    }

    // MARK: Calls

    private func callFunction(_ node: PlanNode) -> RulesValue {
        let function = plan.functions[Int(node.a)]
        let arguments = values(from: node.b, count: node.c)
        guard arguments.count == function.parameters.count else {
            let expected = "\(function.name)(\(function.parameters.joined(separator: ", ")))"
            return .failure(.argumentCount(received: arguments.count, expected: expected))
        }
        let formerStart = frameStart
        frameStart = locals.count
        defer {
            locals.removeSubrange(frameStart...)
            frameStart = formerStart
        }
        locals += arguments
        for variable in function.variables {
            expressionCount += 1
            locals.append(evaluate(variable))
        }
        return evaluate(function.result)
    }

    private func callBuiltin(_ node: PlanNode) -> RulesValue {
        let arguments = values(from: node.b, count: node.c)
        if let failure = arguments.firstFailure { return failure }
        switch node.builtin {
        case .get, .exists, .getAfter, .existsAfter: return lookUp(arguments, by: node.builtin)
        case .debug:
            guard let first = arguments.first else {
                return .failure(.other("Service call error. Function: [debug], Argument: []."))
            }
            documents.debug(first)
            return first
        default: return node.builtin.call(with: arguments)
        }
    }

    /// A failure of the receiver goes before those of arguments.
    private func callMethod(_ node: PlanNode) -> RulesValue {
        let arguments = values(from: node.b, count: node.c)
        return evaluate(node.a).withoutFailure { $0.call(node.method, with: arguments) }
    }

    private func callUnknownMethod(_ node: PlanNode) -> RulesValue {
        switch evaluate(node.a) {
        case .null: .failure(.nullValue)
        case let failure where failure.isFailure: failure
        default: .failure(.functionNotFound(plan.names[Int(node.b)]))
        }
    }

    private func lookUp(_ arguments: [RulesValue], by builtin: Builtin) -> RulesValue {
        guard arguments.count == 1, case .path(let path) = arguments[0] else {
            return builtin.refusal(of: arguments)
        }
        if let failure = path.bindingFailure { return failure }
        let refusal = RulesValue.failure(
            .other("Service call error. Function: [\(builtin.rawValue)], Argument: [\(path.protoText)].")
        )
        guard documents.mayBeDocument(path) else { return refusal }
        guard readsDocuments else {
            hasMetUnknown = true
            return .failure(.unknown)
        }
        let isQuestion = builtin == .exists || builtin == .existsAfter
        let isAfter = builtin == .getAfter || builtin == .existsAfter
        switch documents.document(at: path, isAfter: isAfter, isWhole: !isQuestion) {
        case .refused: return refusal
        case .deleted: return isQuestion ? .boolean(false) : .null
        case .missing: return isQuestion ? .boolean(false) : refusal
        case .found(let map): return isQuestion ? .boolean(true) : .map(map)
        }
    }
}

extension [RulesValue] {
    /// The failure farthest to the left.
    var firstFailure: RulesValue? { first(where: \.isFailure) }
}

extension PlanPath.Part {
    fileprivate var isComputed: Bool {
        if case .computed = self { true } else { false }
    }
}

/// The documents that rules may look at.
package protocol RulesDocuments {
    /// Whether a path is that of a document of the database, which may be missing.
    func mayBeDocument(_ path: RulesPath) -> Bool
    /// Reads a document.
    ///
    /// - Parameters:
    ///   - path: Its full path, `/databases/{database}/documents/…`.
    ///   - isAfter: Whether it is wanted as the request would leave it.
    ///   - isWhole: Whether more is wanted than whether it exists.
    /// - Returns: The document, or why there is none.
    func document(at path: RulesPath, isAfter: Bool, isWhole: Bool) -> RulesDocument
    /// Shows a value to the developer.
    func debug(_ value: RulesValue)
}

/// The answer to a rule that looks at a document.
package enum RulesDocument {
    case found(RulesMap)
    case missing
    /// The request deletes it, so that it is null after it.
    case deleted
    /// The path is not a document of the database, or the request has looked at too many.
    case refused
}
