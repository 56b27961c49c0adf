// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// Strategies simulated side by side for some of a log's users; the runs of all of them add up.
struct SimulationRun: Sendable {
    private var simulations: [StrategySimulation]
    /// What each strategy's users came to in the runs that were added.
    private var parts: [StrategyPart?]
    private var failures: [SimulationFailure?]
    private var traced: TracedViews?
    private var steps: [StrategySimulation.TapedStep] = []

    init(_ simulations: [StrategySimulation]) {
        self.simulations = simulations
        parts = simulations.map { _ in nil }
        failures = simulations.map { _ in nil }
    }

    /// Simulates users; calls `onProgress` after each strategy.
    mutating func add(_ users: [UserViews], _ onProgress: () -> Void) async throws {
        if let found = TracedViews(of: users), traced.map(found.isBefore) ?? true {
            traced = found
            for index in simulations.indices { simulations[index].draw(found) }
        }
        for index in simulations.indices {
            for user in users where isWanted(user, by: index) {
                do {
                    try await simulations[index].add(user)
                } catch let failure as SimulationFailure {
                    note(failure, of: index)
                }
            }
            onProgress()
        }
    }

    /// Of a strategy that failed, only an earlier view of the log matters: it is reported whatever the order of the users.
    private func isWanted(_ user: UserViews, by index: Int) -> Bool {
        guard let failure = failures[index] else { return true }
        return user.views.first.map { $0.number < failure.number } ?? false
    }

    private mutating func note(_ failure: SimulationFailure, of index: Int) {
        guard failures[index].map({ failure.number < $0.number }) ?? true else { return }
        failures[index] = failure
    }

    /// Adds the run of other users.
    mutating func add(_ other: SimulationRun) {
        let isTracedThere = other.traced.map { theirs in traced.map(theirs.isBefore) ?? true } ?? false
        for index in simulations.indices {
            if let failure = other.failures[index] { note(failure, of: index) }
            var (part, theirs) = (part(index), other.part(index))
            if isTracedThere { swap(&part.waterfalls, &theirs.waterfalls) }
            part.add(theirs)
            parts[index] = part
        }
        if isTracedThere { traced = other.traced }
        steps = allSteps + other.allSteps
    }

    private func part(_ index: Int) -> StrategyPart {
        if let part = parts[index] { return part }
        var simulation = simulations[index]
        return StrategyPart(simulation.outcome(), curves: nil)
    }

    private var allSteps: [StrategySimulation.TapedStep] { steps.isEmpty ? simulations.flatMap(\.tape) : steps }

    /// The costs of a strategy, with usage that is the same for all.
    ///
    /// - Throws: ``AuditError`` for the first view of the log at which it failed.
    func outcome(
        of strategy: Strategy,
        adding other: [UsageAttribution.Service: UsageTotals]
    ) throws(AuditError) -> StrategyOutcome {
        guard let index = simulations.firstIndex(where: { $0.strategy == strategy }) else {
            preconditionFailure("\(strategy.name) was not simulated")
        }
        if let failure = failures[index] { throw failure.error }
        return part(index).outcome(of: strategy, adding: other)
    }

    /// The requests of each step, in the order of the views.
    var tape: [[TapedRequest]] {
        // Sorting is stable: the steps of one view stay in their order.
        allSteps.sorted { $0.number < $1.number }.map(\.requests)
    }
}
