// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The evaluation as the official evaluator makes it, with its operands on a stack.
///
/// A list or a path that fails for a part which is not its last leaves the parts behind that on the stack. Operators further out then
/// take them for their own operands: where a failure does not matter, as in `true || failure`, the values are wrong, and a conditional
/// that finds such an operand in the place of its condition fails altogether (official emulator 1.19.9, 2026-11).
extension Evaluation {
    /// The value of a condition.
    mutating func repeatedValue(of number: Int32) -> RulesValue {
        operands = []
        locals = []
        execute(number)
        return pop()
    }

    /// Puts the value of a node on the stack.
    private mutating func execute(_ number: Int32) {
        expressionCount += 1
        guard !isExhausted, !isBrokenOff else {
            return operands.append(.failure(isExhausted ? .expressionLimit : .unknown))
        }
        guard depth < RulesLimits.evaluationDepthMax else { return operands.append(.failure(.depthLimit)) }
        depth += 1
        execute(rules.plan.nodes[Int(number)])
        depth -= 1
    }

    private mutating func execute(_ node: PlanNode) {
        switch node.kind {
        case .constant, .attribute, .capture, .local, .undefined: operands.append(evaluate(node))
        case .member:
            execute(node.a)
            operands.append(pop().member(rules.plan.names[Int(node.b)]))
        case .negation:
            execute(node.a)
            operands.append(pop().negated)
        case .not:
            execute(node.a)
            operands.append(pop().opposite)
        case .index:
            let (owner, index) = executeTwo(node.a, node.b)
            operands.append(owner.withoutFailure { $0.element(at: index) })
        case .slice: slice(node)
        case .list: list(node)
        case .map:
            operands.append(map(of: executeAll(from: node.a, count: node.b), node))
        case .path: path(node)
        case .binary where node.binary == .isIn:
            // The container is on top.
            let (container, element) = executeTwo(node.b, node.a)
            operands.append(combined(element, container, by: .isIn))
        case .binary:
            let (left, right) = executeTwo(node.a, node.b)
            operands.append(combined(left, right, by: node.binary))
        case .and: join(node, decidedBy: false)
        case .or: join(node, decidedBy: true)
        case .typeCheck:
            // The type is an operand, too.
            expressionCount += 1
            operands.append(.string(node.type.rawValue))
            execute(node.a)
            let value = pop()
            _ = pop()
            operands.append(checked(value, node.type))
        case .conditional: conditional(node)
        case .function: executeFunction(node)
        case .builtin: operands.append(call(node.builtin, with: executeAll(from: node.b, count: node.c)))
        case .method:
            executeOperands(from: node.b, count: node.c)
            execute(node.a)
            let receiver = pop()
            operands.append(call(node.method, of: receiver, with: popAll(count: node.c)))
        case .unknownFunction:
            _ = executeAll(from: node.b, count: node.c)
            operands.append(.failure(.functionNotFound(rules.plan.names[Int(node.a)])))
        case .unknownMethod:
            operands.append(unknownMethod(of: executeAll(from: node.b, count: node.c)[0], node))
        case .binding: preconditionFailure("a binding is evaluated by the call of its function")
        }
    }

    // MARK: The stack

    private mutating func pop() -> RulesValue { operands.popLast() ?? .failure(.unknown) }

    /// Takes values from the stack, that of the first operand first.
    private mutating func popAll(count: Int32) -> [RulesValue] { (0..<count).map { _ in pop() } }

    /// Puts the values of operands on the stack, that of the first last.
    private mutating func executeOperands(from first: Int32, count: Int32) {
        for place in stride(from: first + count - 1, through: first, by: -1) {
            execute(rules.plan.operands[Int(place)])
        }
    }

    private mutating func executeAll(from first: Int32, count: Int32) -> [RulesValue] {
        executeOperands(from: first, count: count)
        return popAll(count: count)
    }

    private mutating func executeTwo(_ left: Int32, _ right: Int32) -> (RulesValue, RulesValue) {
        execute(right)
        execute(left)
        let value = pop()
        return (value, pop())
    }

    // MARK: Nodes

    private mutating func slice(_ node: PlanNode) {
        if node.c >= 0 { execute(node.c) } else { operands.append(.null) }
        if node.b >= 0 { execute(node.b) } else { operands.append(.null) }
        execute(node.a)
        let values = popAll(count: 3)
        operands.append(values[0].withoutFailure { $0.elements(from: values[1], to: values[2]) })
    }

    /// Takes its parts from the stack up to the first that has failed.
    private mutating func list(_ node: PlanNode) {
        executeOperands(from: node.a, count: node.b)
        var values: [RulesValue] = []
        for _ in 0..<node.b {
            let value = pop()
            guard !value.isFailure else { return operands.append(value) }
            values.append(value)
        }
        operands.append(.list(values))
    }

    /// Takes its parts from the stack up to the first that has failed; names are parts as much as what is computed.
    private mutating func path(_ node: PlanNode) {
        let parts = rules.plan.paths[Int(node.a)].parts
        var next = node.b + node.c
        for part in parts.reversed() {
            switch part {
            case .literal(let name):
                expressionCount += 1
                operands.append(.string(name))
            case .capture(let name): operands.append(.path(RulesPath([.capture(name, bound: nil)])))
            case .glob(let name): operands.append(.path(RulesPath([.glob(name, bound: nil)])))
            case .computed:
                next -= 1
                execute(rules.plan.operands[Int(next)])
            }
        }
        var segments: [RulesPath.Segment] = []
        for _ in parts {
            switch RulesPath.segments(of: pop()) {
            case .success(let named): segments += named
            case .failure(let failure): return operands.append(.failure(failure))
            }
        }
        operands.append(.path(RulesPath(segments)))
    }

    private mutating func join(_ node: PlanNode, decidedBy decisive: Bool) {
        expressionCount += 1
        execute(node.a)
        let first = pop().asBoolean
        operands.append(first)
        if case .boolean(decisive) = first { return }
        execute(node.b)
        let right = pop().asBoolean
        let left = pop()
        if case .boolean(decisive) = right {
            operands.append(right)
        } else {
            operands.append(right.isFailure && !left.isFailure ? right : left)
        }
    }

    private mutating func conditional(_ node: PlanNode) {
        expressionCount += 1
        execute(node.a)
        let condition = pop().asBoolean
        guard case .boolean(let isTrue) = condition else { return operands.append(condition) }
        operands.append(condition)
        execute(isTrue ? node.b : node.c)
        let value = pop()
        guard case .boolean = pop() else { return breakOff() }
        operands.append(value)
    }

    private mutating func executeFunction(_ node: PlanNode) {
        let function = rules.plan.functions[Int(node.a)]
        let (start, formerStart) = (locals.count, frameStart)
        let arguments = executeAll(from: node.b, count: node.c)
        guard arguments.count == function.parameters.count else {
            return operands.append(function.misuse(argumentCount: arguments.count))
        }
        locals += arguments
        frameStart = start
        for variable in function.variables {
            expressionCount += 1
            execute(variable)
            locals.append(pop())
        }
        execute(function.result)
        locals.removeSubrange(start...)
        frameStart = formerStart
    }
}
