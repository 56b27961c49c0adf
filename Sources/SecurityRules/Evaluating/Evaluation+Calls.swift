// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Evaluation {
    mutating func callFunction(_ node: PlanNode) -> RulesValue {
        let function = rules.plan.functions[Int(node.a)]
        let (start, count) = (locals.count, Int(node.c))
        locals.append(contentsOf: repeatElement(.null, count: count))
        for place in stride(from: count - 1, through: 0, by: -1) {
            locals[start + place] = evaluate(rules.plan.operands[Int(node.b) + place])
        }
        guard count == function.parameters.count else {
            locals.removeSubrange(start...)
            return function.misuse(argumentCount: count)
        }
        let formerStart = frameStart
        frameStart = start
        for variable in function.variables {
            expressionCount += 1
            locals.append(evaluate(variable))
        }
        let result = evaluate(function.result)
        if recording != nil { for binding in function.bindings { _ = recorded(result, of: binding) } }
        locals.removeSubrange(start...)
        frameStart = formerStart
        return result
    }

    mutating func callBuiltin(_ node: PlanNode) -> RulesValue {
        call(node.builtin, with: values(from: node.b, count: node.c))
    }

    /// The value of a function of the language.
    mutating func call(_ builtin: Builtin, with arguments: [RulesValue]) -> RulesValue {
        if let failure = arguments.firstFailure { return failure }
        switch builtin {
        case .get, .exists, .getAfter, .existsAfter: return lookUp(arguments, by: builtin)
        case .debug:
            guard let first = arguments.first else {
                return .failure(.other("Service call error. Function: [debug], Argument: []."))
            }
            if !isRepeated { documents.debug(first) }
            return first
        default: return builtin.call(with: arguments)
        }
    }

    /// A failure of the receiver goes before those of arguments.
    mutating func callMethod(_ node: PlanNode) -> RulesValue {
        let arguments = values(from: node.b, count: node.c)
        return call(node.method, of: evaluate(node.a), with: arguments)
    }

    /// The value of a method.
    mutating func call(_ method: Method, of receiver: RulesValue, with arguments: [RulesValue]) -> RulesValue {
        let value = receiver.called(method, with: arguments, takingForGranted: &hasTakenForGranted)
        if case .failure(.missingGroup) = value { breakOff() }
        return value
    }

    mutating func callUnknownMethod(_ node: PlanNode) -> RulesValue {
        unknownMethod(of: values(from: node.b, count: node.c)[0], node)
    }

    /// The failure of a method that there is not.
    func unknownMethod(of receiver: RulesValue, _ node: PlanNode) -> RulesValue {
        switch receiver {
        case .null: .failure(.nullValue)
        case let failure where failure.isFailure: failure
        default: .failure(.functionNotFound(rules.plan.names[Int(node.a)]))
        }
    }

    private mutating func lookUp(_ arguments: [RulesValue], by builtin: Builtin) -> RulesValue {
        guard arguments.count == 1, case .path(let path) = arguments[0] else {
            return builtin.refusal(of: arguments)
        }
        if let failure = path.bindingFailure { return failure }
        guard documents.mayBeDocument(path) else { return builtin.serviceFailure(of: path) }
        guard phase == .withDocuments else { return meetUnknown() }
        let isQuestion = builtin == .exists || builtin == .existsAfter
        let isAfter = builtin == .getAfter || builtin == .existsAfter
        switch documents.document(at: path, isAfter: isAfter, isWhole: !isQuestion) {
        case .refused: return builtin.serviceFailure(of: path)
        case .deleted: return isQuestion ? .boolean(false) : .null
        case .missing: return isQuestion ? .boolean(false) : builtin.serviceFailure(of: path)
        case .found(let map): return isQuestion ? .boolean(true) : .map(map)
        }
    }
}

extension RulesValue {
    /// The value of a method of it; notes where a query's filters leave open what that takes for certain.
    func called(_ method: Method, with arguments: [RulesValue], takingForGranted: inout Bool) -> RulesValue {
        if isPartial, leavesOpen(method, of: arguments) { takingForGranted = true }
        return withoutFailure { $0.call(method, with: arguments) }
    }

    /// Whether it has what a query's filters say, and documents may have more.
    var isPartial: Bool {
        if case .map(let map) = self { map.isPartial } else { false }
    }

    /// Whether fields that the filters do not name could change the result of a method.
    fileprivate func leavesOpen(_ method: Method, of arguments: [RulesValue]) -> Bool {
        guard method == .get, case .string(let key)? = arguments.first, case .map(let map) = self else { return true }
        return map[key] == nil
    }
}

extension Builtin {
    /// The failure of a look at a document that cannot be looked at.
    fileprivate func serviceFailure(of path: RulesPath) -> RulesValue {
        .failure(.other("Service call error. Function: [\(rawValue)], Argument: [\(path.protoText)]."))
    }
}
