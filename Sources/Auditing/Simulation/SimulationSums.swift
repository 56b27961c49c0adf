// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// The costs of strategies for some of a log's users; those of all users add up.
struct SimulationSums: Sendable {
    let strategies: [Strategy]
    private(set) var parts: [StrategyPart]
    /// Where each strategy failed first.
    private(set) var failures: [SimulationFailure?]
    /// The views that are drawn.
    private(set) var traced: TracedViews?
    private(set) var tapedSteps: [StrategySimulation.TapedStep]

    /// Adds the costs of other users.
    mutating func add(_ other: SimulationSums) {
        let isTracedThere = other.traced.map { $0.isBefore(traced) } ?? false
        if isTracedThere { traced = other.traced }
        for index in parts.indices {
            parts[index].add(other.parts[index])
            if isTracedThere { parts[index].waterfalls = other.parts[index].waterfalls }
            failures[index] = SimulationFailure.earlier(failures[index], other.failures[index])
        }
        tapedSteps += other.tapedSteps
    }

    /// The costs of a strategy, with usage that is the same for all.
    ///
    /// - Throws: ``AuditError`` for the first view of the log at which it failed.
    func outcome(
        of strategy: Strategy,
        adding other: [UsageAttribution.Service: UsageTotals]
    ) throws(AuditError) -> StrategyOutcome {
        guard let index = strategies.firstIndex(of: strategy) else {
            preconditionFailure("\(strategy.name) was not simulated")
        }
        if let failure = failures[index] { throw failure.error }
        return parts[index].outcome(of: strategy, adding: other)
    }

    /// The requests of each step, in the order of the views.
    var tape: [[TapedRequest]] {
        // Sorting is stable: the steps of one view stay in their order.
        tapedSteps.sorted { $0.number < $1.number }.map(\.requests)
    }
}
