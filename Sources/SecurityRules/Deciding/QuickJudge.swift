// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Says whether requests are allowed, and not why.
///
/// It knows the documents of a request itself, and counts what ``Evaluation`` counts. Where rules look at other documents, show a value
/// or have the request fail, and where no rule allows it, passes in phases say what becomes of it.
// Unchecked because ``QuickJudges`` gives it to one thread at a time.
final class QuickJudge: @unchecked Sendable {
    private let plan: QuickPlan
    private let evaluation: QuickEvaluation
    /// The evaluations of the conditions of a request.
    private(set) var evaluations: [RuleEvaluation] = []

    init(_ rules: RulesPlan, _ plan: QuickPlan) {
        self.plan = plan
        evaluation = QuickEvaluation(rules, plan)
    }

    /// A condition looked at the time, or at `request` as a whole.
    var hasMetTime: Bool { evaluation.hasMetTime }

    /// Begins a request.
    func begin() {
        evaluations.removeAll(keepingCapacity: true)
        evaluation.hasMetTime = false
    }

    /// Whether a part of a request is allowed for sure.
    ///
    /// - Throws: The error of a store that could not be read.
    func allows(_ part: any RulesRequest) throws -> Bool {
        try evaluation.look(at: part) { path in allows(part.method, path) }
    }

    /// Every match is looked at, also behind one that allows: its condition may look at documents.
    private func allows(_ method: RulesMethod, _ path: PathNames) -> Bool {
        let method = RulesMethods(method)
        var isAllowed = false
        PathWalk.visit(plan, path) { match, bindings in
            evaluation.bindings = bindings
            for number in match.allows where plan.allows[number].methods.contains(method) {
                if holds(plan.allows[number]) {
                    isAllowed = true
                    break
                }
                if evaluation.isUndecided { return false }
            }
            return true
        }
        return isAllowed && !evaluation.isUndecided
    }

    private func holds(_ allow: PlanAllow) -> Bool {
        guard !allow.mayBreakOff else {
            evaluation.leaveOpen()
            return false
        }
        evaluation.hasTakenForGranted = false
        let (start, count) = (ContinuousClock.now, evaluation.expressionCount)
        let holds = allow.condition.map { evaluation.holds($0) } ?? true
        guard !evaluation.isUndecided else { return false }
        evaluations.append(
            RuleEvaluation(
                rule: allow.number,
                holds: holds,
                isProven: !evaluation.hasTakenForGranted,
                expressionCount: evaluation.expressionCount - count,
                readCount: 0,
                duration: ContinuousClock.now - start
            )
        )
        return holds == true
    }
}
