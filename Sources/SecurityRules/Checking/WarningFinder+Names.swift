// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension WarningFinder {
    /// A place with names.
    private struct Place {
        let scope: Scope
        let services: Set<String>
        let isInService: Bool
        /// The parameters and variables that are visible.
        var locals: [(name: String, range: SourceRange, isUsed: Bool)] = []
    }

    /// Doubts names that mean nothing, and those that are never used.
    mutating func checkNames() {
        for (condition, scope, services) in conditions {
            var place = Place(scope: scope, services: services, isInService: true)
            checkNames(of: condition, in: &place)
        }
        for function in functions {
            let declaration = function.declaration
            if !function.isCalled { warn("Unused function: \(declaration.name).", at: declaration.nameRange) }
            var place = Place(
                scope: function.scope,
                services: function.services,
                isInService: function.isInService,
                locals: declaration.parameters.map { ($0.name, $0.range, false) }
            )
            for variable in declaration.variables {
                checkNames(of: variable.value, in: &place)
                place.locals.append((variable.name, variable.nameRange, false))
            }
            checkNames(of: declaration.result, in: &place)
            for local in place.locals where !local.isUsed { warn("Unused variable: \(local.name).", at: local.range) }
        }
    }

    private mutating func checkNames(of expression: Expression, in place: inout Place) {
        switch expression.form {
        case .variable(let name): checkVariable(name, at: expression.range, in: &place)
        case .call(nil, let name, let arguments):
            checkFunction(name, arguments.count, at: expression.place, in: place)
            for argument in arguments { checkNames(of: argument, in: &place) }
        case .call(let receiver?, let name, let arguments):
            if let package = receiver.package {
                let full = "\(package).\(name)"
                check(Signature.functions[full], of: full, arguments.count, at: expression.place)
            } else {
                checkNames(of: receiver, in: &place)
                check(Signature.methods[name], of: name, arguments.count + 1, at: expression.place)
            }
            for argument in arguments { checkNames(of: argument, in: &place) }
        default: expression.form.visitParts { checkNames(of: $0, in: &place) }
        }
    }

    private mutating func checkVariable(_ name: String, at range: SourceRange, in place: inout Place) {
        if let local = place.locals.lastIndex(where: { $0.name == name }) {
            place.locals[local].isUsed = true
            return
        }
        let isKnown =
            place.scope.captures[name] != nil || Builtin.packages.contains(name)
            || isGlobal(name, services: place.services)
        if !isKnown { warn("Invalid variable name: \(name).", at: range) }
    }

    private mutating func checkFunction(_ name: String, _ count: Int, at range: SourceRange, in place: Place) {
        if let number = place.scope.functions[name] {
            if functions[number].declaration.parameters.count != count { warnOfCount(name, at: range) }
            return
        }
        if !place.isInService, Signature.firestoreFunctions[name] != nil, place.services.contains("cloud.firestore") {
            warn("Call to service function '\(name)' occurs outside of defining scope.", at: range)
            return
        }
        check(functionForms(name, in: place), of: name, count, at: range)
    }

    func isGlobal(_ name: String, services: Set<String>) -> Bool {
        (name == "request" || name == "resource") && services.contains { Self.isKnown($0) }
    }

    /// The forms of a function without a package; `nil` where there is none.
    private func functionForms(_ name: String, in place: Place) -> [Signature]? {
        Self.functionForms(name, services: place.services)
    }

    static func functionForms(_ name: String, services: Set<String>) -> [Signature]? {
        if let forms = Signature.functions[name] { return forms }
        if name == "debug" { return services.contains { isKnown($0) } ? Signature.debug : nil }
        return services.contains("cloud.firestore") ? Signature.firestoreFunctions[name] : nil
    }

    private static func isKnown(_ service: String) -> Bool {
        service == "cloud.firestore" || service == "firebase.storage"
    }

    private mutating func check(_ forms: [Signature]?, of name: String, _ count: Int, at range: SourceRange) {
        guard let forms else { return warn("Invalid function name: \(name).", at: range) }
        if forms.first?.operands.count != count { warnOfCount(name, at: range) }
    }

    private mutating func warnOfCount(_ name: String, at range: SourceRange) {
        warn("Incorrect number of arguments supplied to function: \(name).", at: range)
    }
}
