// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Evaluates conditions with the documents of one request after the other, in the memory of former requests.
final class QuickEvaluation {
    /// Where a document is.
    enum Fields {
        case unknown, undefined, missing
        case found(UnsafeRawBufferPointer)
    }

    let rules: RulesPlan
    private let plan: QuickPlan
    private let facts = RequestFacts()
    var part: (any RulesRequest)?
    private var former = Fields.unknown
    private var new = Fields.unknown
    /// The values of attributes that were asked for, by their numbers.
    private let attributes: UnsafeMutableBufferPointer<QuickValue?>
    /// The segments that captures are bound to, of the matches around the condition.
    var bindings = PathWalk.Bindings(start: nil, count: 0)
    /// Values that had to be made.
    var made: [RulesValue] = []
    /// The values of `request` and of `resource`, once they had to be made.
    var request: RulesValue?
    var resource: RulesValue?
    /// Parameters and variables of the functions that are being called; those of the innermost are last.
    private var locals: [QuickValue] = []
    private var frameStart = 0
    private var depth = 0
    private(set) var expressionCount = 0
    /// Something is left to passes in phases.
    private(set) var isUndecided = false
    /// A query's filters leave open what a condition took for certain, such as that a field is missing.
    var hasTakenForGranted = false
    /// A condition looked at the time, or at `request` as a whole.
    var hasMetTime = false

    init(_ rules: RulesPlan, _ plan: QuickPlan) {
        (self.rules, self.plan) = (rules, plan)
        attributes = .allocate(capacity: plan.attributes.count)
    }

    deinit { attributes.deallocate() }

    /// Looks at a part of a request for as long as `judge` takes, which is given its path.
    ///
    /// - Throws: The error of a store that could not be read.
    func look(at part: any RulesRequest, _ judge: (PathNames) -> Bool) throws -> Bool {
        defer { clear() }
        self.part = part
        attributes.initialize(repeating: nil)
        (expressionCount, isUndecided) = (0, false)
        try part.describe(in: facts)
        guard facts.isKnown else {
            facts.path.set(part.path)
            return judge(facts.path)
        }
        return Self.with(facts.resource) { former in
            Self.with(facts.newResource) { new in
                (self.former, self.new) = (former, new)
                return judge(facts.path)
            }
        }
    }

    private func clear() {
        facts.clear()
        (part, request, resource) = (nil, nil, nil)
        (former, new) = (.unknown, .unknown)
        bindings = PathWalk.Bindings(start: nil, count: 0)
        if !made.isEmpty { made.removeAll(keepingCapacity: true) }
        if !locals.isEmpty { locals.removeAll(keepingCapacity: true) }
        (frameStart, depth) = (0, 0)
    }

    private static func with(_ document: RequestFacts.Document, _ use: (Fields) -> Bool) -> Bool {
        switch document {
        case .undefined: use(.undefined)
        case .missing: use(.missing)
        case .found(let fields): fields.bytes.withUnsafeBytes { use(.found($0)) }
        }
    }

    /// Whether a condition holds; `nil` where it has no value.
    func holds(_ condition: Int32) -> Bool? {
        guard case .boolean(let isTrue) = evaluate(condition) else { return nil }
        return isTrue
    }

    /// Leaves the request to passes in phases.
    @discardableResult
    func leaveOpen() -> QuickValue {
        isUndecided = true
        return .failed
    }

    /// Evaluates a node.
    func evaluate(_ number: Int32) -> QuickValue {
        expressionCount += 1
        guard !isUndecided, depth < RulesLimits.evaluationDepthMax else { return leaveOpen() }
        depth += 1
        let value = evaluate(plan.nodes[Int(number)])
        depth -= 1
        return expressionCount > RulesLimits.expressionCountMax ? leaveOpen() : value
    }

    private func evaluate(_ node: PlanNode) -> QuickValue {
        switch node.kind {
        case .constant: return constant(Int(node.a))
        case .attribute:
            expressionCount += Int(node.b)
            let form = plan.attributes[Int(node.a)].form
            if form == .time || form == .request { hasMetTime = true }
            return attribute(Int(node.a))
        case .capture: return capture(Int(node.a))
        case .local: return locals[frameStart + Int(node.a)]
        case .undefined: return .failed
        case .member:
            let owner = value(of: evaluate(node.a))
            return quick(owner.member(rules.names[Int(node.b)]))
        case .index:
            let index = value(of: evaluate(node.b))
            return quick(value(of: evaluate(node.a)).withoutFailure { $0.element(at: index) })
        case .slice: return slice(node)
        case .list: return list(node)
        case .map: return quick(RulesValue.map(of: values(from: node.a, count: node.b)).value)
        case .path: return path(node)
        case .negation: return quick(value(of: evaluate(node.a)).negated)
        case .not:
            guard case .boolean(let isTrue) = evaluate(node.a) else { return .failed }
            return .boolean(!isTrue)
        case .binary: return binary(node)
        case .and: return joined(node, decidedBy: false)
        case .or: return joined(node, decidedBy: true)
        case .typeCheck:
            expressionCount += 1
            return quick(typed(evaluate(node.a)).checked(node.type, takingForGranted: &hasTakenForGranted))
        case .conditional:
            expressionCount += 1
            guard case .boolean(let isTrue) = evaluate(node.a) else { return .failed }
            return evaluate(isTrue ? node.b : node.c)
        case .function: return callFunction(node)
        case .builtin: return callBuiltin(node)
        case .method: return callMethod(node)
        case .unknownFunction, .unknownMethod:
            _ = values(from: node.b, count: node.c)
            return .failed
        case .binding: preconditionFailure("a binding is evaluated by the call of its function")
        }
    }

    // MARK: Names

    private func constant(_ number: Int) -> QuickValue {
        switch plan.constants[number] {
        case .null: .null
        case .boolean(let isTrue): .boolean(isTrue)
        case .integer(let number): .integer(number)
        case .float(let number): .float(number)
        case .text(let text): .text(plan.texts[text])
        case .other: quick(rules.constants[number])
        }
    }

    private func capture(_ number: Int) -> QuickValue {
        let binding = bindings[number]
        if !binding.isGlob, case .text(let name) = facts.path[binding.start] { return .text(name) }
        return quick(binding.value(in: part?.path ?? []))
    }

    private func attribute(_ number: Int) -> QuickValue {
        if let value = attributes[number] { return value }
        let value = value(of: plan.attributes[number], number)
        attributes[number] = value
        return value
    }

    private func value(of attribute: QuickPlan.Attribute, _ number: Int) -> QuickValue {
        switch (attribute.form, facts.user) {
        case (.request, _): return .request
        case (.resource, _): return document(.former)
        case (.user, .none): return .null
        case (.user, .named), (.user, .unnamed): return .user
        case (.userID, .none): return .failed
        case (.userID, .named(let id)): return .text(id)
        case (.userID, .unnamed): return .null
        case (.newResource, _) where facts.isKnown: return document(.new)
        case (.data, _):
            guard case .document(let document) = self.attribute(attribute.owner) else { break }
            return .fields(document)
        case (.field, _):
            guard case .fields(let document) = self.attribute(attribute.owner) else { break }
            return field(plan.texts[attribute.name], of: document)
        default: break
        }
        let owner = value(of: self.attribute(attribute.owner))
        return quick(owner.member(rules.attributes[number].name))
    }

    private func document(_ document: QuickDocument) -> QuickValue {
        switch document == .former ? former : new {
        case .undefined: .failed
        case .missing: .null
        case .found: .document(document)
        case .unknown: quick(madeResource())
        }
    }

    private func field(_ name: UnsafeRawBufferPointer, of document: QuickDocument) -> QuickValue {
        let document = document == .former ? former : new
        guard case .found(let fields) = document, let value = try? EncodedValue.named(name, in: fields) else {
            return .failed
        }
        return quick(value)
    }

    // MARK: Operators

    /// Whether both are true, or either: false decides the one, true the other, whatever stands beside it.
    private func joined(_ node: PlanNode, decidedBy decisive: Bool) -> QuickValue {
        expressionCount += 1
        let left = evaluate(node.a)
        if case .boolean(decisive) = left { return left }
        let right = evaluate(node.b)
        guard case .boolean(let isTrue) = right, isTrue == decisive || left.isBoolean else { return .failed }
        return right
    }

    /// A value of the type of another.
    private func typed(_ value: QuickValue) -> RulesValue {
        switch value {
        case .text: .string("")
        default: self.value(of: value)
        }
    }

    // MARK: Composites

    private func slice(_ node: PlanNode) -> QuickValue {
        let to = node.c >= 0 ? value(of: evaluate(node.c)) : .null
        let from = node.b >= 0 ? value(of: evaluate(node.b)) : .null
        return quick(value(of: evaluate(node.a)).withoutFailure { $0.elements(from: from, to: to) })
    }

    /// The values of operands.
    private func values(from first: Int32, count: Int32) -> [RulesValue] {
        (0..<Int(count)).reversed().map { value(of: evaluate(plan.operands[Int(first) + $0])) }.reversed()
    }

    private func list(_ node: PlanNode) -> QuickValue {
        guard !node.mayLeaveOperands else { return leaveOpen() }
        let values = values(from: node.a, count: node.b)
        guard let failed = values.firstIndex(where: \.isFailure) else { return make(.list(values)) }
        return failed < values.count - 1 ? leaveOpen() : .failed
    }

    private func path(_ node: PlanNode) -> QuickValue {
        guard !node.mayLeaveOperands else { return leaveOpen() }
        let operands = values(from: node.b, count: node.c)
        let path = rules.paths[Int(node.a)]
        let made = path.value(with: operands)
        expressionCount += made.literalCount
        return made.leavesOperands ? leaveOpen() : quick(made.value)
    }

    // MARK: Calls

    private func callFunction(_ node: PlanNode) -> QuickValue {
        let function = plan.functions[Int(node.a)]
        let (start, count) = (locals.count, Int(node.c))
        locals.append(contentsOf: repeatElement(.null, count: count))
        for place in stride(from: count - 1, through: 0, by: -1) {
            locals[start + place] = evaluate(plan.operands[Int(node.b) + place])
        }
        defer { locals.removeSubrange(start...) }
        guard count == function.parameterCount else { return .failed }
        let formerStart = frameStart
        frameStart = start
        defer { frameStart = formerStart }
        for variable in function.variables {
            expressionCount += 1
            locals.append(evaluate(plan.variables[variable]))
        }
        return evaluate(function.result)
    }

    private func callBuiltin(_ node: PlanNode) -> QuickValue {
        let arguments = values(from: node.b, count: node.c)
        switch node.builtin {
        case .get, .exists, .getAfter, .existsAfter, .debug: return leaveOpen()
        default: return arguments.firstFailure == nil ? quick(node.builtin.call(with: arguments)) : .failed
        }
    }

    private func callMethod(_ node: PlanNode) -> QuickValue {
        let arguments = values(from: node.b, count: node.c)
        let receiver = value(of: evaluate(node.a))
        return quick(receiver.called(node.method, with: arguments, takingForGranted: &hasTakenForGranted))
    }
}
