// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// The part of a live replay that is not made again, but taken from the log: the answers to its queries, which no document that
/// a log has could give, and what no view explains.
struct RecordedShare {
    private var tally = SimulationTally()
    private let other: [UsageAttribution.Service: UsageTotals]

    init(of plan: ReplayPlan, strategy: Strategy, other: [UsageAttribution.Service: UsageTotals]) {
        self.other = other
        for step in plan.steps {
            guard case .showPosts(let shown) = step.view.action, let list = shown.list else { continue }
            tally.add(ExchangeCost(FeedCatalog.Exchange(list.read(inPagesOf: strategy.pageSize))))
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
        for (service, totals) in other {
            usage.add(totals)
            billed.add(totals.billed, to: service)
        }
        usage.add(tally.usage)
        billed.add(tally.billed)
        counts.add(tally.counts)
        return StrategyOutcome(strategy: strategy, usage: usage, billed: billed, counts: counts)
    }
}
