// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// The quick judges of a file of rules that wait for a request.
final class QuickJudges: Sendable {
    private let waiting = NIOLockedValueBox<[QuickJudge]>([])

    /// Takes a judge, or makes one.
    func take(for rules: CompiledRules) -> QuickJudge {
        let judge = waiting.withLockedValue { $0.popLast() } ?? QuickJudge(rules.plan, rules.quickPlan)
        judge.begin()
        return judge
    }

    /// Takes a judge back: there are as many as requests were judged at once.
    func put(back judge: QuickJudge) { waiting.withLockedValue { $0.append(judge) } }
}
