// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// The part of a live replay that is not made again, but taken from the log: the answers to its queries, which no document that
/// a log has could give, and what no view explains.
struct RecordedShare {
    private var tally: SimulationTally

    init(of plan: ReplayPlan, strategy: Strategy, other: [UsageAttribution.Service: UsageTotals]) {
        tally = SimulationTally(other: other)
        for step in plan.steps {
            guard case .showPosts(let shown) = step.view.action, let list = shown.list else { continue }
            let answer = FeedCatalog.Exchange(list.read(inPagesOf: strategy.pageSize))
            tally.add(SimulatedClient.Step(query: answer))
        }
    }

    /// Adds it to what was measured.
    func added(
        to usage: UsageTotals,
        billed: ServiceUsage,
        counts: ClientCounts,
        of strategy: Strategy
    ) -> StrategyOutcome {
        var (usage, billed, counts) = (usage, billed, counts)
        usage.add(tally.usage)
        billed.add(tally.billed)
        counts.add(tally.counts)
        return StrategyOutcome(strategy: strategy, usage: usage, billed: billed, counts: counts)
    }
}
