// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import SessionLog

/// Holds a simulation against the real client: a strategy must make the same requests in both, and move the same bytes.
package struct Verification: Sendable {
    private let log: SessionLog

    /// Creates a verification of replays of a log.
    package init(of log: SessionLog) { self.log = log }

    /// Returns the live outcome, which the simulated one equals, with the figures that only a simulation has.
    ///
    /// Requests of one view are loaded concurrently, and are compared in the order of their addresses. Throws an
    /// ``AuditError`` that names the first request that differs.
    package func outcome(
        live: FeedReplay.Result,
        simulated: FeedSimulation.Result
    ) throws(AuditError) -> StrategyOutcome {
        let strategy = live.outcome.strategy
        let plan = ReplayPlan(log, strategy: strategy)
        for (index, step) in plan.steps.enumerated() {
            let (left, right) = (live.tape[index].sorted(), simulated.tape[index].sorted())
            guard left != right else { continue }
            let place = zip(left, right).prefix { $0 == $1 }.count
            throw .diverges(
                strategy.name,
                view: step.view,
                number: step.number,
                live: place < left.count ? left[place] : nil,
                simulated: place < right.count ? right[place] : nil
            )
        }
        guard live.outcome.counts == simulated.outcome.counts,
            live.outcome.billed == simulated.outcome.billed
        else { throw .countsDiverge(live: live.outcome, simulated: simulated.outcome) }
        let outcome = live.outcome
        return StrategyOutcome(
            strategy: strategy,
            usage: outcome.usage,
            billed: outcome.billed,
            counts: outcome.counts,
            simulated: simulated.outcome.simulated
        )
    }
}
