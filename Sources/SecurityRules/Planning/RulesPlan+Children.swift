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
}
