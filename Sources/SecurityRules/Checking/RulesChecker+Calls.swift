// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension RulesChecker {
    /// A function, and those that it calls by the names that are known where it is declared.
    private struct Node {
        let function: FunctionDeclaration
        var callees: [Int] = []
    }

    /// Refuses functions that call themselves, in the end, and chains of calls that are too long.
    mutating func checkCalls(of ruleset: Ruleset) {
        var nodes: [Node] = []
        Self.collect(ruleset.functions, known: [:], into: &nodes) { known, nodes in
            for service in ruleset.services {
                Self.collect(service.functions, known: known, into: &nodes) { known, nodes in
                    for match in service.matches { Self.collect(match, known: known, into: &nodes) }
                }
            }
        }
        let isCyclic = checkCycles(nodes)
        if !isCyclic { checkDepth(nodes) }
    }

    private static func collect(
        _ functions: [FunctionDeclaration],
        known outer: [String: Int],
        into nodes: inout [Node],
        _ inner: ([String: Int], inout [Node]) -> Void
    ) {
        var known = outer
        let first = nodes.count
        for function in functions {
            known[function.name] = nodes.count
            nodes.append(Node(function: function))
        }
        for number in first..<(first + functions.count) {
            let function = nodes[number].function
            let expressions = function.variables.map(\.value) + [function.result]
            nodes[number].callees = expressions.flatMap(\.calledNames).compactMap { known[$0] }
        }
        inner(known, &nodes)
    }

    private static func collect(_ match: MatchDeclaration, known: [String: Int], into nodes: inout [Node]) {
        collect(match.functions, known: known, into: &nodes) { known, nodes in
            for child in match.matches { collect(child, known: known, into: &nodes) }
        }
    }

    private mutating func checkCycles(_ nodes: [Node]) -> Bool {
        var isCyclic = false
        var reported: Set<Int> = []
        let suspects = Self.suspects(among: nodes)
        for number in nodes.indices where suspects.contains(number) && !reported.contains(number) {
            guard let cycle = Self.cycle(from: number, in: nodes) else { continue }
            isCyclic = true
            reported.formUnion(cycle)
            let names = cycle.map { nodes[$0].function.name }
            let message =
                cycle.count == 1
                ? "Recursive call is not allowed."
                : "Detected a call cycle between [\(names.joined(separator: ","))] functions."
            refuse(message, at: nodes[number].function.nameRange)
        }
        return isCyclic
    }

    /// The functions that may be in a cycle of calls: those that others lead to without end, and that lead to others so.
    private static func suspects(among nodes: [Node]) -> Set<Int> {
        let callees = nodes.map(\.callees)
        var callers = nodes.map { _ in [Int]() }
        for (number, node) in nodes.enumerated() { for callee in node.callees { callers[callee].append(number) } }
        return endless(callees, reversed: callers).intersection(endless(callers, reversed: callees))
    }

    /// The nodes from which edges lead on without end.
    private static func endless(_ edges: [[Int]], reversed: [[Int]]) -> Set<Int> {
        var openCounts = edges.map(\.count)
        var ends = edges.indices.filter { openCounts[$0] == 0 }
        var endless = Set(edges.indices)
        while let number = ends.popLast() {
            endless.remove(number)
            for former in reversed[number] {
                openCounts[former] -= 1
                if openCounts[former] == 0 { ends.append(former) }
            }
        }
        return endless
    }

    /// The functions by which one calls itself, in the order of the calls.
    private static func cycle(from start: Int, in nodes: [Node]) -> [Int]? {
        var seen: Set<Int> = []
        func find(_ number: Int, _ path: [Int]) -> [Int]? {
            for callee in nodes[number].callees {
                if callee == start { return path }
                guard seen.insert(callee).inserted else { continue }
                if let found = find(callee, path + [callee]) { return found }
            }
            return nil
        }
        return find(start, [start])
    }

    private mutating func checkDepth(_ nodes: [Node]) {
        /// The longest chain of calls, and its first functions.
        typealias Chain = (count: Int, head: [Int])
        var longest = [Chain?](repeating: nil, count: nodes.count)
        func chain(_ number: Int) -> Chain {
            if let known = longest[number] { return known }
            let rest = nodes[number].callees.map(chain).max { $0.count < $1.count } ?? (0, [])
            let found = (rest.count + 1, Array(([number] + rest.head).prefix(RulesLimits.callDepthMax + 2)))
            longest[number] = found
            return found
        }
        let called = Set(nodes.flatMap(\.callees))
        for number in nodes.indices where !called.contains(number) {
            let (count, chain) = chain(number)
            guard count > RulesLimits.callDepthMax + 1 else { continue }
            let shown = chain[...RulesLimits.callDepthMax].map { nodes[$0].function.name }.joined(separator: "->")
            let last = nodes[chain[RulesLimits.callDepthMax + 1]].function
            refuse(
                "Maximum allowed call depth of \(RulesLimits.callDepthMax) is reached for [\(shown)] call stack.",
                at: last.nameRange
            )
        }
    }
}

extension Expression {
    /// The names of functions that it calls.
    var calledNames: [String] {
        var names: [String] = []
        collectCalledNames(into: &names)
        return names
    }

    private func collectCalledNames(into names: inout [String]) {
        if case .call(nil, let name, _) = form { names.append(name) }
        form.visitParts { $0.collectCalledNames(into: &names) }
    }
}
