// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// One pass over the rules, for one method.
struct RulesPass: ~Copyable {
    private let rules: CompiledRules
    let method: RulesMethod
    private let asked: RulesMethods
    let path: [RulesPath.Segment]
    private let phase: RulesPhase
    private var evaluation: Evaluation
    /// The reasons of each condition that did not hold; none in a quick pass.
    private(set) var reasons: [String] = []
    private(set) var evaluations: [RuleEvaluation] = []
    /// A condition had no value.
    private(set) var hasFailed = false
    /// No condition held by what a query's filters leave open.
    private(set) var isProven = true
    /// No condition looked at the time.
    var isLasting: Bool { !evaluation.hasMetTime }
    /// The values of `request` and of `resource`.
    var inputs: (request: RulesValue, resource: RulesValue) { evaluation.inputs }
    /// The values of the nodes; `nil` where they are not recorded.
    var recording: PassRecording? { evaluation.recording }
    /// A condition cannot be evaluated at all; those behind it are not looked at.
    var isBrokenOff: Bool { evaluation.isBrokenOff }
    /// A condition asked for what depends on documents.
    var hasMetUnknown: Bool { evaluation.hasMetUnknown }

    init(
        of rules: CompiledRules,
        method: RulesMethod,
        path: [RulesPath.Segment],
        phase: RulesPhase,
        evaluation: consuming Evaluation
    ) {
        (self.rules, self.method, self.path) = (rules, method, path)
        asked = RulesMethods(method)
        self.phase = phase
        self.evaluation = evaluation
    }

    /// Whether a condition of any match on the path holds.
    ///
    /// Every match is looked at, also behind one that allows: its condition may look at documents.
    mutating func isAllowed() -> Bool {
        let isAllowed = visit(rules.plan.matches, at: 0)
        return isAllowed && !isBrokenOff && !(phase == .quick && evaluation.isUndecided)
    }

    /// Looks at matches, and those in them, from a place in the path on.
    private mutating func visit(_ matches: PlanMatches, at place: Int) -> Bool {
        var isAllowed = false
        matches.visit(at: place < path.count ? path[place] : nil) { match in
            isAllowed = visit(match, segment: 0, at: place) || isAllowed
            return !(phase == .quick && evaluation.isUndecided)
        }
        return isAllowed
    }

    private mutating func visit(_ match: PlanMatch, segment: Int, at place: Int) -> Bool {
        guard segment < match.pattern.count else { return enter(match, at: place) }
        switch match.pattern[segment] {
        case .literal(let name):
            guard place < path.count, path[place].isNamed(name) else { return false }
            return visit(match, segment: segment + 1, at: place + 1)
        case .capture:
            guard place < path.count, path[place] != .anywhere else { return false }
            return visit(match, segment: segment + 1, at: place + 1, binding: path[place].value)
        case .glob:
            return visitGlob(match, segment: segment, at: place)
        }
    }

    /// Version 1 wants at least one segment, and takes all that are left.
    private mutating func visitGlob(_ match: PlanMatch, segment: Int, at place: Int) -> Bool {
        let least = rules.plan.version == .one ? place + 1 : place
        guard least <= path.count else { return false }
        // With nothing behind it that could match, it takes all, too.
        let takesAll = rules.plan.version == .one || (segment == match.pattern.count - 1 && match.matches.isEmpty)
        var isAllowed = false
        // The shortest first: the order shows in refusals.
        for end in (takesAll ? path.count : least)...path.count {
            let segments = RulesPath(Array(path[place..<end]))
            isAllowed = visit(match, segment: segment + 1, at: end, binding: .path(segments)) || isAllowed
        }
        return isAllowed
    }

    private mutating func visit(
        _ match: PlanMatch,
        segment: Int,
        at place: Int,
        binding value: RulesValue
    ) -> Bool {
        evaluation.captures.append(value)
        defer { evaluation.captures.removeLast() }
        return visit(match, segment: segment, at: place)
    }

    /// A match's path has matched up to a place.
    private mutating func enter(_ match: PlanMatch, at place: Int) -> Bool {
        let isAllowed = place == path.count && holds(match.allows)
        return visit(match.matches, at: place) || isAllowed
    }

    /// Whether one of the conditions holds; those behind it are not looked at.
    private mutating func holds(_ allows: [PlanAllow]) -> Bool {
        for allow in allows where allow.methods.contains(asked) && holds(allow) { return true }
        return false
    }

    private mutating func holds(_ allow: PlanAllow) -> Bool {
        guard !isBrokenOff else { return false }
        guard phase != .quick || !allow.mayBreakOff else {
            evaluation.leaveOpen()
            return false
        }
        let value = value(of: allow)
        guard !isBrokenOff else { return false }
        guard !evaluation.isExhausted else {
            note(Failure.expressionLimit.text, allow)
            return false
        }
        if evaluation.hasTakenForGranted, case .boolean(true) = value { isProven = false }
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

    /// Evaluates a condition, and takes note of what that took.
    private mutating func value(of allow: PlanAllow) -> RulesValue {
        evaluation.hasTakenForGranted = false
        let (start, expressions, reads) = (now, evaluation.expressionCount, evaluation.documents.readCount)
        let value = allow.condition.map { evaluation.value(ofCondition: $0).asBoolean } ?? .boolean(true)
        let holds: Bool? = if case .boolean(let isTrue) = value, !evaluation.isExhausted { isTrue } else { nil }
        evaluations.append(
            RuleEvaluation(
                rule: allow.number,
                holds: holds,
                isProven: !evaluation.hasTakenForGranted,
                expressionCount: evaluation.expressionCount - expressions,
                readCount: evaluation.documents.readCount - reads,
                duration: now - start
            )
        )
        evaluation.recording?.endCondition()
        return value
    }

    private var now: ContinuousClock.Instant { ContinuousClock.now }

    private mutating func note(_ text: @autoclosure () -> String?, _ allow: PlanAllow) {
        guard phase != .quick else { return }
        let reason = text() ?? "evaluation error at L\(allow.line):\(allow.column)"
        reasons.append("\(reason) for '\(method.rawValue)' @ L\(allow.line)")
    }
}

extension RulesPath.Segment {
    /// Names are compared by their bytes.
    fileprivate func isNamed(_ name: String) -> Bool {
        if case .literal(let own) = self { own.hasSameBytes(as: name) } else { false }
    }
}
