// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension ReplayReport {
    /// The combination that downloads least: one of the strategies, or one that was tried to avoid what they could do without.
    struct Best: Sendable, Encodable {
        let strategy: String
        let bytes: Int64
        /// Its bytes as a share of the baseline's.
        let ratioToBaseline: Double
    }

    /// The best combination; `nil` where none downloads less than the baseline.
    var best: Best? {
        guard let baseline, baseline.usage.sent.body > 0 else { return nil }
        let replayed = outcomes.map { (name: $0.strategy.name, byteCount: $0.usage.sent.body) }
        let tried = outcomes.flatMap { outcome in
            (outcome.findings.map(\.remedy) + [outcome.remedyOfAll]).compactMap(\.self)
        }.map { (name: $0.strategy, byteCount: $0.byteCount) }
        // The first of several as good.
        guard let best = (replayed + tried).min(by: { $0.byteCount < $1.byteCount }),
            best.byteCount < baseline.usage.sent.body
        else { return nil }
        return Best(
            strategy: best.name,
            bytes: best.byteCount,
            ratioToBaseline: Double(best.byteCount) / Double(baseline.usage.sent.body)
        )
    }

    /// `best: thumbnails+memory+disk, 6.0x less than all-images`; `nil` where nothing is better than the baseline.
    var bestText: String? {
        guard let best, let baseline else { return nil }
        return "best: \(best.strategy), \(Self.saving(best.ratioToBaseline)) than \(baseline.strategy.name)"
    }

    /// The strategy that the others are compared with, and the one that downloads least.
    var extremes: (first: StrategyOutcome, best: StrategyOutcome)? {
        guard let baseline, let best = StrategyOutcome.best(of: outcomes) else { return nil }
        return (baseline, best)
    }
}
