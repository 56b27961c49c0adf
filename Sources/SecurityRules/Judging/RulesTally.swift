// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// Counts what each `allow` of a file of rules does, since the file was compiled.
final class RulesTally: Sendable {
    private let counts: NIOLockedValueBox<[RuleCounts]>

    init(ruleCount: Int) { counts = NIOLockedValueBox(Array(repeating: RuleCounts(), count: ruleCount)) }

    /// Adds evaluations; returns the rules that held for the first time for what is not proven.
    ///
    /// Those that count `again` took no time.
    func add(_ evaluations: [RuleEvaluation], again: Bool = false) -> [Int] {
        counts.withLockedValue { counts in
            var credulous: [Int] = []
            for evaluation in evaluations {
                counts[evaluation.rule].add(evaluation, again: again)
                if !evaluation.isProven, evaluation.holds == true, counts[evaluation.rule].unproven == 1 {
                    credulous.append(evaluation.rule)
                }
            }
            return credulous
        }
    }

    var all: [RuleCounts] { counts.withLockedValue(\.self) }
}

/// One evaluation of the condition of an `allow`.
struct RuleEvaluation: Sendable, Equatable {
    let rule: Int
    /// `nil` where it had no value.
    let holds: Bool?
    /// Whether a query's filters say all that it took for certain.
    let isProven: Bool
    let expressionCount: Int
    let readCount: Int
    let duration: Duration
}

/// The counts of an `allow`.
package struct RuleCounts: Sendable, Equatable {
    /// How often its condition was evaluated: twice for a request that takes two passes.
    package private(set) var evaluations = 0
    /// How often it held, and how often it had no value.
    package private(set) var held = 0
    package private(set) var failed = 0
    /// How often it held for a query although the filters leave open what it took for certain: documents that do not fulfil it can be
    /// among those found.
    package private(set) var unproven = 0
    /// The expressions that were evaluated for it.
    package private(set) var expressions = 0
    /// The documents that it looked at and no rule had for the same request before; each is a billed read.
    package private(set) var reads = 0
    package private(set) var duration = Duration.zero

    fileprivate mutating func add(_ evaluation: RuleEvaluation, again: Bool) {
        evaluations += 1
        if evaluation.holds == true { held += 1 }
        if evaluation.holds == nil { failed += 1 }
        if evaluation.holds == true, !evaluation.isProven { unproven += 1 }
        expressions += evaluation.expressionCount
        reads += evaluation.readCount
        if !again { duration += evaluation.duration }
    }
}

/// An `allow` with what it did.
package struct RuleUsage: Sendable, Equatable {
    /// The path of its match, with those around it.
    package let path: String
    /// The methods as written.
    package let methods: [String]
    /// The line on which its condition begins.
    package let line: Int
    package let counts: RuleCounts
}
