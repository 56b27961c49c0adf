// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How a report stands to a former one, as JSON; all figures that changed.
struct ComparisonJSON: Encodable {
    struct Change: Encodable {
        let former: Double
        let now: Double
        let delta: Double
        let ratio: Double?
    }

    let report: String
    let strategies: [String: [String: Change]]
    let added: [String]
    let gone: [String]
    let differences: [String]

    init(_ comparison: ReportComparison) {
        report = comparison.path
        added = comparison.added
        gone = comparison.gone
        differences = comparison.differences
        strategies = comparison.changes.reduce(into: [:]) { strategies, change in
            strategies[change.strategy, default: [:]][change.figure] = Change(
                former: change.former,
                now: change.now,
                delta: change.delta,
                ratio: change.ratio
            )
        }
    }
}

/// How a budget is kept, as JSON.
struct BudgetJSON: Encodable {
    struct Verdict: Encodable {
        let bound: String
        let strategy: String
        let line: Int
        let figure: String
        let limit: String?
        let isKept: Bool
    }

    let path: String
    let breaches: Int
    let verdicts: [Verdict]

    init(_ budget: ReplayReport.Judgement) {
        path = budget.path
        breaches = budget.breaches.count
        verdicts = budget.verdicts.map { verdict in
            Verdict(
                bound: verdict.bound,
                strategy: verdict.strategy,
                line: verdict.line,
                figure: verdict.figure,
                limit: verdict.limit,
                isKept: verdict.isKept
            )
        }
    }
}
