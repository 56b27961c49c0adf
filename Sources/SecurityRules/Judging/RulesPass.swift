// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// One pass over the rules, for one method.
struct RulesPass: ~Copyable {
    private let rules: CompiledRules
    let method: RulesMethod
    private let asked: RulesMethods
    let path: [RulesPath.Segment]
    private var evaluation: Evaluation
    /// The reasons of each condition that did not hold.
    private(set) var reasons: [String] = []
    private(set) var evaluations: [RuleEvaluation] = []
    /// A condition had no value.
    private(set) var hasFailed = false
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
        evaluation: consuming Evaluation
    ) {
        (self.rules, self.method, self.path) = (rules, method, path)
        asked = RulesMethods(method)
        self.evaluation = evaluation
    }

    /// Whether a condition of any match on the path holds.
    ///
    /// Every match is looked at, also behind one that allows: its condition may look at documents.
    mutating func isAllowed() -> Bool {
        let (path, names) = (path, PathNames())
        names.set(path)
        var isAllowed = false
        PathWalk.visit(rules.quickPlan, names) { match, bindings in
            evaluation.captures = bindings.map { $0.value(in: path) }
            isAllowed = holds(match.allows) || isAllowed
            return true
        }
        return isAllowed && !isBrokenOff
    }

    /// Whether one of the conditions holds; those behind it are not looked at.
    private mutating func holds(_ allows: Range<Int>) -> Bool {
        for allow in rules.plan.allows[allows] where allow.methods.contains(asked) && holds(allow) { return true }
        return false
    }

    private mutating func holds(_ allow: PlanAllow) -> Bool {
        guard !isBrokenOff else { return false }
        let value = value(of: allow)
        guard !isBrokenOff else { return false }
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

    private mutating func note(_ text: String?, _ allow: PlanAllow) {
        let reason = text ?? "evaluation error at L\(allow.line):\(allow.column)"
        reasons.append("\(reason) for '\(method.rawValue)' @ L\(allow.line)")
    }
}
