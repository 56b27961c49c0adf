// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension WarningFinder {
    /// A pass over a condition or a function.
    struct TypePass {
        let scope: Scope
        let services: Set<String>
        /// Whether doubts are stored; else only needs are.
        let warns: Bool
        /// The parameters and variables that are visible.
        var locals: [String] = []
        /// The types that the expression at hand needs of variables; those of captures are known.
        var needs: [String: [StaticType]] = [:]

        /// Adds needs of another part of an expression.
        ///
        /// - Returns: The variables that can be of no type then.
        mutating func merge(_ others: [String: [StaticType]]) -> [String] {
            if needs.isEmpty {
                needs = others
                return []
            }
            var conflicts: [String] = []
            for (name, demand) in others {
                let common = needs[name]?.common(with: demand) ?? demand
                if common.isEmpty { conflicts.append(name) }
                needs[name] = common.isEmpty ? nil : common
            }
            return conflicts
        }
    }

    /// The use of an expression.
    private enum Role {
        case permission, operand
        /// Something is taken of it.
        case base
    }

    mutating func checkTypes() {
        for (condition, scope, services) in conditions {
            var pass = TypePass(scope: scope, services: services, warns: true)
            check(condition, for: [.bool], in: &pass, as: .permission)
        }
        for number in functions.indices { _ = needs(of: number, for: nil, warns: true) }
    }

    /// Finds what is needed of a function's parameters.
    private mutating func needs(of number: Int, for demand: [StaticType]?, warns: Bool) -> [[StaticType]?] {
        let key = Need(function: number, demand: demand)
        if !warns, let known = knownNeeds[key] { return known }
        let function = functions[number]
        // Calls in expressions in calls would need more stack than a thread has.
        guard depth <= RulesLimits.typeDepthMax else { return function.declaration.parameters.map { _ in nil } }
        let declaration = function.declaration
        // Those that call themselves are refused anyway.
        knownNeeds[key] = declaration.parameters.map { _ in nil }
        var pass = TypePass(scope: function.scope, services: function.services, warns: warns)
        pass.locals = declaration.parameters.map(\.name) + declaration.variables.map(\.name)
        check(declaration.result, for: demand, in: &pass)
        for variable in declaration.variables.reversed() {
            pass.locals.removeLast()
            let need = pass.needs.removeValue(forKey: variable.name)
            let rest = pass.needs
            pass.needs = [:]
            check(variable.value, for: need, in: &pass)
            let conflicts = pass.merge(rest)
            for name in conflicts { warnOfConflict(name, at: variable.keywordRange, in: pass) }
        }
        let found = declaration.parameters.map { pass.needs[$0.name] }
        knownNeeds[key] = found
        return found
    }

    private mutating func warnOfConflict(_ name: String, at range: SourceRange, in pass: TypePass) {
        guard pass.warns else { return }
        warn("Invalid type. There is no type for variable '\(name)' that satisfies all clauses.", at: range)
    }

    // MARK: Expressions

    private mutating func check(
        _ expression: Expression,
        for demand: [StaticType]?,
        in pass: inout TypePass,
        as role: Role = .operand
    ) {
        depth += 1
        defer { depth -= 1 }
        if case .variable(let name) = expression.form, pass.isLocal(name) || pass.scope.captures[name] == nil {
            let isKnown = pass.isLocal(name) || isGlobal(name, services: pass.services)
            pass.needs = isKnown ? demand.map { [name: $0] } ?? [:] : [:]
            return
        }
        pass.needs = [:]
        let start = role == .base ? expression.firstRangeOfBase : expression.firstRange
        if case .conditional(let condition, let then, let otherwise) = expression.form {
            checkPart(condition, for: [.bool], of: start, in: &pass)
            checkPart(then, for: demand, of: start, in: &pass)
            checkPart(otherwise, for: demand, of: start, in: &pass)
            checkBranches(of: expression, then, otherwise, for: demand, in: pass)
            return
        }
        if let demand, let results = results(of: expression, in: pass), results.isDisjoint(from: demand) {
            refuse(expression, results, for: demand, in: pass, as: role)
            if !expression.isCollection {
                for child in expression.operands { checkPart(child, for: nil, of: start, in: &pass) }
                return
            }
        }
        checkOperands(of: expression, for: demand, from: start, in: &pass)
    }

    /// Checks a part of an expression, and whether its needs go with those of the other parts.
    private mutating func checkPart(
        _ part: Expression,
        for demand: [StaticType]?,
        of start: SourceRange,
        in pass: inout TypePass,
        as role: Role = .operand
    ) {
        let others = pass.needs
        check(part, for: demand, in: &pass, as: role)
        for name in pass.merge(others) { warnOfConflict(name, at: start, in: pass) }
    }

    private mutating func refuse(
        _ expression: Expression,
        _ results: [StaticType],
        for demand: [StaticType],
        in pass: TypePass,
        as role: Role
    ) {
        guard pass.warns else { return }
        let range = role == .base ? expression.baseRange : expression.warningRange
        if role == .permission {
            warn(
                "Invalid type. Permission statements expect a boolean value. Received one of \(results.text).",
                at: range
            )
        } else {
            warn("Invalid type. Received one of \(results.text). Expected one of \(demand.text).", at: range)
        }
        if case .variable(let name) = expression.form { warnOfConflict(name, at: range, in: pass) }
    }

    private mutating func checkBranches(
        of expression: Expression,
        _ then: Expression,
        _ otherwise: Expression,
        for demand: [StaticType]?,
        in pass: TypePass
    ) {
        guard pass.warns,
            let first = results(of: then, in: pass, followsCalls: true),
            let second = results(of: otherwise, in: pass, followsCalls: true)
        else { return }
        if let demand, first.isDisjoint(from: demand) || second.isDisjoint(from: demand) { return }
        guard first.isDisjoint(from: second) else { return }
        warn(
            "Ternary operator result if condition is true has a different type than if condition is false.",
            at: expression.place
        )
    }

    private mutating func checkOperands(
        of expression: Expression,
        for demand: [StaticType]?,
        from start: SourceRange,
        in pass: inout TypePass
    ) {
        switch expression.form {
        case .map(let entries):
            for entry in entries {
                checkPart(entry.key, for: [.string], of: start, in: &pass)
                checkPart(entry.value, for: nil, of: start, in: &pass)
            }
        case .path:
            expression.form.visitParts { checkPart($0, for: Signature.pathPart, of: start, in: &pass) }
        case .member(let owner, _): checkPart(owner, for: [.map], of: start, in: &pass, as: .base)
        case .index(let owner, let index):
            let forms = Signature.index.yielding(demand)
            checkPart(owner, for: forms.operand(0), of: start, in: &pass, as: .base)
            checkPart(index, for: forms.operand(1), of: start, in: &pass)
        case .slice(let owner, let from, let to):
            let forms = Signature.slice.yielding(demand)
            checkPart(owner, for: forms.operand(0), of: start, in: &pass, as: .base)
            for bound in [from, to].compactMap(\.self) { checkPart(bound, for: [.null, .int], of: start, in: &pass) }
        case .unary(let sign, let operand):
            let need = sign.signatures.yielding(demand).operand(0)
            checkPart(operand, for: need, of: start, in: &pass, as: sign == .negation ? .base : .operand)
        case .binary(let binary, let left, let right):
            let forms = binary.signatures.yielding(demand)
            checkPart(left, for: forms.operand(0), of: start, in: &pass)
            checkPart(right, for: forms.operand(1), of: start, in: &pass)
            checkComparison(binary, left, right, at: expression.place, in: pass)
        case .call(let receiver, let name, let arguments):
            checkCall(of: name, on: receiver, with: arguments, for: demand, from: start, in: &pass)
        default: expression.form.visitParts { checkPart($0, for: nil, of: start, in: &pass) }
        }
    }

    private mutating func checkComparison(
        _ binary: BinaryOperator,
        _ left: Expression,
        _ right: Expression,
        at range: SourceRange,
        in pass: TypePass
    ) {
        guard pass.warns, binary == .equal || binary == .notEqual,
            let first = results(of: left, in: pass, followsCalls: true),
            let second = results(of: right, in: pass, followsCalls: true), first.isIncomparable(with: second)
        else { return }
        warn(
            "The sub-expressions are not comparable, so this comparison will always return \(binary == .notEqual).",
            at: range
        )
    }

    private mutating func checkCall(
        of name: String,
        on receiver: Expression?,
        with arguments: [Expression],
        for demand: [StaticType]?,
        from start: SourceRange,
        in pass: inout TypePass
    ) {
        if receiver == nil, let number = pass.scope.functions[name] {
            let needs = needs(of: number, for: demand, warns: false)
            for (index, argument) in arguments.enumerated() {
                checkPart(argument, for: index < needs.count ? needs[index] : nil, of: start, in: &pass)
            }
            return
        }
        let operands = (receiver?.package == nil ? [receiver].compactMap(\.self) : []) + arguments
        if let forms = forms(of: name, on: receiver, operands.count, in: pass) {
            let known = forms.yielding(demand)
            for (number, operand) in operands.enumerated() {
                let isBase = number == 0 && operands.count > arguments.count
                let need = known.operand(number)
                checkPart(operand, for: need, of: start, in: &pass, as: isBase ? .base : .operand)
            }
        } else {
            for operand in operands { checkPart(operand, for: nil, of: start, in: &pass) }
        }
    }

    /// `nil` for a function that there is not, or not with this number of operands.
    private func forms(of name: String, on receiver: Expression?, _ count: Int, in pass: TypePass) -> [Signature]? {
        let forms =
            if let receiver {
                receiver.package.map { Signature.functions["\($0).\(name)"] } ?? Signature.methods[name]
            } else {
                Self.functionForms(name, services: pass.services)
            }
        return forms?.first?.operands.count == count ? forms : nil
    }

    // MARK: Results

    /// The types that an expression may have; `nil` where nothing is known.
    private mutating func results(
        of expression: Expression,
        in pass: TypePass,
        followsCalls: Bool = false
    ) -> [StaticType]? {
        switch expression.form {
        case .literal(let value): return StaticType(rawValue: value.typeName).map { [$0] }
        case .list: return [.list]
        case .map: return [.map]
        case .path: return [.path]
        case .variable(let name): return pass.isLocal(name) ? nil : pass.scope.captures[name].map { [$0] }
        case .member, .index, .conditional: return nil
        case .slice: return Signature.slice.results
        case .unary(let sign, _): return sign.signatures.results
        case .binary(let binary, _, _): return binary.signatures.results
        case .typeCheck: return [.bool]
        case .call(let receiver, let name, let arguments):
            if receiver == nil, let number = pass.scope.functions[name] {
                let isRight = functions[number].declaration.parameters.count == arguments.count
                return followsCalls && isRight ? results(ofCalling: number) : nil
            }
            let count = arguments.count + (receiver == nil || receiver?.package != nil ? 0 : 1)
            return forms(of: name, on: receiver, count, in: pass)?.results
        }
    }

    private mutating func results(ofCalling number: Int) -> [StaticType]? {
        if let known = knownResults[number] { return known }
        guard depth <= RulesLimits.typeDepthMax else { return nil }
        depth += 1
        defer { depth -= 1 }
        // Those that call themselves are refused anyway.
        knownResults[number] = .some(nil)
        let function = functions[number]
        var pass = TypePass(scope: function.scope, services: function.services, warns: false)
        let declaration = function.declaration
        pass.locals = declaration.parameters.map(\.name) + declaration.variables.map(\.name)
        let found = results(of: declaration.result, in: pass, followsCalls: true)
        knownResults[number] = .some(found)
        return found
    }
}

extension WarningFinder.TypePass {
    fileprivate func isLocal(_ name: String) -> Bool { locals.contains(name) }
}

extension Expression {
    /// The name of a group of functions, if it is one.
    var package: String? {
        guard case .variable(let name) = form, Builtin.packages.contains(name) else { return nil }
        return name
    }

    /// The expressions of which it is made, without a package.
    fileprivate var operands: [Expression] {
        var operands: [Expression] = []
        form.visitParts { if $0.package == nil { operands.append($0) } }
        return operands
    }

    /// Where a doubt about it stands: its operator or name, else its beginning.
    fileprivate var warningRange: SourceRange {
        switch form {
        case .member(let owner, _), .index(let owner, _), .slice(let owner, _, _): owner.opening ?? owner.warningRange
        case .literal, .variable, .path, .list, .map: opening ?? place
        default: place
        }
    }

    /// The place of what something is taken of, without parentheses.
    fileprivate var baseRange: SourceRange {
        switch form {
        case .literal, .variable, .path, .list, .map: innerOpening ?? place
        case .member(let owner, _), .index(let owner, _), .slice(let owner, _, _): owner.opening ?? owner.baseRange
        default: place
        }
    }

    /// Whether it is a list or the like, which checks its parts also where it does not fit.
    fileprivate var isCollection: Bool {
        switch form {
        case .list, .map, .path: true
        default: false
        }
    }

    /// Its first token, with parentheses around it.
    var firstRange: SourceRange { opening ?? ownFirstRange }

    /// Its first token, without the outermost parentheses.
    fileprivate var firstRangeOfBase: SourceRange { opening == nil ? firstRange : innerOpening ?? ownFirstRange }

    private var ownFirstRange: SourceRange {
        switch form {
        case .member(let owner, _), .index(let owner, _), .slice(let owner, _, _), .call(let owner?, _, _):
            return owner.firstRange
        case .binary(_, let left, _), .typeCheck(let left, _), .conditional(let left, _, _): return left.firstRange
        default: return place
        }
    }
}
