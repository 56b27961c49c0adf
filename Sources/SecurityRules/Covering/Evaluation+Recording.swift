// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Evaluation {
    /// Records the value of a node, and says of a failure where it arose.
    mutating func recorded(_ value: RulesValue, of number: Int32) -> RulesValue {
        // A node at which the limit strikes has no value, nor have those around it.
        guard !isExhausted else { return value }
        let node = rules.plan.nodes[Int(number)]
        switch node.kind {
        case .constant: return value
        case .attribute: return recordedAttribute(node, number)
        default:
            let located = located(value, of: node, number)
            recording?.add(located, of: number)
            return located
        }
    }

    /// Records that a node was left out, with all of which it is made.
    mutating func skip(_ number: Int32) {
        guard recording != nil, !isExhausted else { return }
        if rules.plan.nodes[Int(number)].kind != .constant { recording?.add(nil, of: number) }
        for child in rules.plan.children(of: number) { skip(child) }
    }

    /// Says of the failure of an operand that cannot be a part where the operand is.
    func located(_ value: RulesValue, atOperand place: Int32) -> RulesValue {
        guard recording != nil, case .failure(let failure) = value, !failure.isLocated else { return value }
        return .failure(.located(failure, rules.plan.spans[Int(rules.plan.operands[Int(place)])].first))
    }

    /// A member of a member is one step when it is evaluated; a report shows each.
    private mutating func recordedAttribute(_ node: PlanNode, _ number: Int32) -> RulesValue {
        var value = node.b > 0 ? recordedAttribute(rules.plan.nodes[Int(node.c)], node.c) : .null
        if !value.isFailure {
            value = attribute(Int(node.a))
            value = located(value, of: node, number)
        }
        recording?.add(value, of: number)
        return value
    }

    /// Says of a failure of a node where it arose, unless it arose before.
    private mutating func located(_ value: RulesValue, of node: PlanNode, _ number: Int32) -> RulesValue {
        let pointsToStart = recording?.pointsToStart == true
        recording?.pointsToStart = false
        guard case .failure(let failure) = value, !failure.isLocated else { return value }
        let first = rules.plan.spans[Int(number)].first
        return .failure(.located(failure, pointsToStart ? first : place(of: failure, node, number)))
    }

    /// The token that a failure of a node names (official emulator 1.19.9, 2026-11).
    private func place(of failure: Failure, _ node: PlanNode, _ number: Int32) -> SourceRange {
        let span = rules.plan.spans[Int(number)]
        switch (node.kind, failure) {
        case (.index, .functionNotFound), (.slice, .functionNotFound): return span.first
        case (.index, _), (.slice, _): return span.start
        case (.attribute, _) where node.b == 0: return span.name ?? span.first
        case (.attribute, .nullValue): return rules.plan.spans[Int(node.c)].first
        case (.member, .nullValue): return rules.plan.spans[Int(node.a)].first
        case (.attribute, _), (.member, _), (_, .functionNotFound): return span.first
        default: return span.name ?? span.first
        }
    }
}

extension Failure {
    /// Whether it has a place, or needs none.
    fileprivate var isLocated: Bool {
        switch self {
        case .located, .unknown: true
        default: false
        }
    }
}
