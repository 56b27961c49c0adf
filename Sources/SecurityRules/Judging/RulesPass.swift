// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// One pass over the rules, for one method.
final class RulesPass {
    private let plan: RulesPlan
    private let method: RulesMethod
    private let path: [RulesPathElement]
    private let evaluation: Evaluation
    /// The reasons of each condition that did not hold.
    private(set) var reasons: [String] = []
    /// A condition had no value.
    private(set) var hasFailed = false
    /// A condition asked for what depends on documents.
    var hasMetUnknown: Bool { evaluation.hasMetUnknown }

    init(_ plan: RulesPlan, method: RulesMethod, path: [RulesPathElement], evaluation: Evaluation) {
        (self.plan, self.method, self.path, self.evaluation) = (plan, method, path, evaluation)
    }

    /// Whether a condition of any match on the path holds.
    func isAllowed() -> Bool {
        // Every match is looked at, also behind one that allows.
        plan.matches.reduce(false) { visit($1, at: 0) || $0 }
    }

    /// Looks at a match, and those in it, from a place in the path on.
    private func visit(_ match: PlanMatch, at place: Int) -> Bool {
        visit(match, segment: 0, at: place)
    }

    private func visit(_ match: PlanMatch, segment: Int, at place: Int) -> Bool {
        guard segment < match.pattern.count else { return enter(match, at: place) }
        switch match.pattern[segment] {
        case .literal(let name):
            guard place < path.count, path[place] == .name(name) else { return false }
            return visit(match, segment: segment + 1, at: place + 1)
        case .capture:
            guard place < path.count, path[place] != .anywhere else { return false }
            return binding(path[place].segment.value) { visit(match, segment: segment + 1, at: place + 1) }
        case .glob:
            return visitGlob(match, segment: segment, at: place)
        }
    }

    /// Version 1 wants at least one segment, and takes all that are left.
    private func visitGlob(_ match: PlanMatch, segment: Int, at place: Int) -> Bool {
        let least = plan.version == .one ? place + 1 : place
        guard least <= path.count else { return false }
        var isAllowed = false
        // The shortest first: the order shows in refusals.
        for end in (plan.version == .one ? path.count : least)...path.count {
            isAllowed =
                binding(.path(RulesPath(path[place..<end].map(\.segment)))) {
                    visit(match, segment: segment + 1, at: end)
                } || isAllowed
        }
        return isAllowed
    }

    private func binding(_ value: RulesValue, _ visit: () -> Bool) -> Bool {
        evaluation.captures.append(value)
        defer { evaluation.captures.removeLast() }
        return visit()
    }

    /// A match's path has matched up to a place.
    private func enter(_ match: PlanMatch, at place: Int) -> Bool {
        var isAllowed = place == path.count && holds(match.allows)
        for inner in match.matches where visit(inner, at: place) { isAllowed = true }
        return isAllowed
    }

    /// Whether one of the conditions holds; those behind it are not looked at.
    private func holds(_ allows: [PlanAllow]) -> Bool {
        for allow in allows where allow.methods.contains(method) && holds(allow) { return true }
        return false
    }

    private func holds(_ allow: PlanAllow) -> Bool {
        let value = allow.condition.map { evaluation.evaluate($0).asBoolean } ?? .boolean(true)
        guard !evaluation.isExhausted else {
            note(Failure.expressionLimit.text, allow)
            return false
        }
        switch value {
        case .failure(let failure):
            hasFailed = true
            note(failure.text, allow)
            return false
        case .boolean(let isTrue):
            // A condition that holds is named, too, where the request is refused for another reason.
            note("false", allow)
            return isTrue
        default:
            return false
        }
    }

    private func note(_ text: String?, _ allow: PlanAllow) {
        let reason = text ?? "evaluation error at L\(allow.line):\(allow.column)"
        reasons.append("\(reason) for '\(method.rawValue)' @ L\(allow.line)")
    }
}

extension RulesPathElement {
    fileprivate var segment: RulesPath.Segment {
        switch self {
        case .name(let name): .literal(name)
        case .unbound, .anywhere: .unbound
        }
    }
}
