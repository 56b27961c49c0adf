// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Strategies simulated side by side for some of a log's users.
struct SimulationRun: Sendable {
    private var simulations: [StrategySimulation]
    private var failures: [SimulationFailure?]
    private var traced: TracedViews?

    init(_ simulations: [StrategySimulation]) {
        self.simulations = simulations
        failures = simulations.map { _ in nil }
    }

    /// Simulates users; calls `onProgress` after each strategy.
    mutating func add(_ users: [UserViews], _ onProgress: () -> Void) async throws {
        if let found = TracedViews(of: users), found.isBefore(traced) {
            traced = found
            for index in simulations.indices { simulations[index].draw(found) }
        }
        for index in simulations.indices {
            for user in users where isWanted(user, by: index) {
                do {
                    try await simulations[index].add(user)
                } catch let failure as SimulationFailure {
                    failures[index] = SimulationFailure.earlier(failures[index], failure)
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

    /// The costs of all users that were added.
    func sums() -> SimulationSums {
        SimulationSums(
            strategies: simulations.map(\.strategy),
            parts: simulations.map { StrategyPart($0.outcome(), curves: nil) },
            failures: failures,
            traced: traced,
            tapedSteps: simulations.flatMap(\.tape)
        )
    }
}
