// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension RulesPlan {
    /// The nodes from which a node is made, in the order in which a report lists them; constants are among them.
    ///
    /// The functions that are called are not among them, but their arguments are.
    func children(of number: Int32) -> [Int32] {
        let node = nodes[Int(number)]
        switch node.kind {
        case .constant, .capture, .local, .undefined: return []
        case .attribute: return node.b > 0 ? [node.c] : []
        case .member, .negation, .not, .typeCheck: return [node.a]
        case .index, .and, .or, .binding: return [node.a, node.b]
        case .binary: return node.binary == .isIn ? [node.b, node.a] : [node.a, node.b]
        case .slice: return [node.a] + [node.b, node.c].filter { $0 >= 0 }
        case .conditional: return [node.a, node.b, node.c]
        case .list, .map: return operands(from: node.a, count: node.b)
        case .path, .function, .builtin, .unknownFunction, .unknownMethod:
            return operands(from: node.b, count: node.c)
        case .method: return [node.a] + operands(from: node.b, count: node.c)
        }
    }

    private func operands(from first: Int32, count: Int32) -> [Int32] {
        Array(operands[Int(first)..<Int(first + count)])
    }

    /// The computed parts of a list or a path, less one that is its last part.
    func partsBeforeLast(of node: PlanNode) -> ArraySlice<Int32> {
        switch node.kind {
        case .list: return operands[Int(node.a)..<Int(node.a + node.b)].dropLast()
        case .path:
            let computed = operands[Int(node.b)..<Int(node.b + node.c)]
            if case .computed? = paths[Int(node.a)].parts.last { return computed.dropLast() }
            return computed
        default: return []
        }
    }

    /// Whether an attribute is `resource`, `request.resource`, or a member of them.
    func isOfDocument(attribute number: Int) -> Bool {
        let attribute = attributes[number]
        if number == Self.resource || (attribute.owner == Self.request && attribute.name == "resource") { return true }
        return attribute.owner >= 0 && isOfDocument(attribute: attribute.owner)
    }

    /// Whether the evaluation of a node may fail altogether, as that of functions that it calls may.
    ///
    /// That takes a conditional with a list or a path that fails for a part before its last, or a replacement that names a group; here a
    /// conditional and such a part anywhere are enough.
    func mayBreakOff(_ number: Int32) -> Bool {
        var (hasConditional, hasOperands, hasGroup) = (false, false, false)
        var (open, functionsSeen) = ([number], Set<Int32>())
        while let next = open.popLast() {
            let node = nodes[Int(next)]
            open += children(of: next)
            switch node.kind {
            case .conditional: hasConditional = true
            case .list, .path: hasOperands = hasOperands || partsBeforeLast(of: node).contains(where: mayFail)
            case .method where node.method == .replace && node.c == 2:
                hasGroup = hasGroup || mayNameGroup(operands[Int(node.b) + 1])
            case .function where functionsSeen.insert(node.a).inserted:
                let function = functions[Int(node.a)]
                open += function.variables + [function.result]
            default: break
            }
        }
        return hasGroup || (hasConditional && hasOperands)
    }

    private func mayFail(_ number: Int32) -> Bool {
        let kind = nodes[Int(number)].kind
        return kind != .constant && kind != .capture
    }

    private func mayNameGroup(_ number: Int32) -> Bool {
        let node = nodes[Int(number)]
        guard node.kind == .constant, case .string(let template) = constants[Int(node.a)] else { return true }
        return template.contains("$")
    }
}
