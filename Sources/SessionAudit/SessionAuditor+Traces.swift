// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Auditing
import CacheSimulation
import FeedClient

extension SessionAuditor {
    /// The images that the users of the session ask for, each with a trace of their own.
    ///
    /// Where the trace is kept over a relaunch, it continues when the app is started again, as a cache on disk does.
    package func imageTraces(of strategy: Strategy, isKeptOverRelaunch: Bool = true) async throws -> ImageTraces {
        try await simulating([strategy]) { simulation in
            try await simulation.imageTraces(of: strategy, isKeptOverRelaunch: isKeptOverRelaunch)
        }
    }

    /// The smallest cache for what a strategy asks for; the caches that it has do not count.
    package func tuning(of strategy: Strategy, isOnDisk: Bool) async throws -> (CacheTuning, StrategyOutcome) {
        try await simulating([strategy]) { simulation in
            let traces = try await simulation.imageTraces(of: strategy, isKeptOverRelaunch: isOnDisk)
            guard let tuning = try CacheTuning(of: traces.byClient), let choice = tuning.choices.first else {
                throw AuditError.nothingAskedFor
            }
            var tuned = strategy
            let cache = Strategy.Cache(byteCountMax: choice.byteCountMax, policy: choice.policy)
            if isOnDisk { tuned.disk = cache } else { (tuned.memory, tuned.disk) = (cache, nil) }
            tuned.name = tuned.text
            return (tuning, try await simulation.outcomes(of: [tuned])[0])
        }
    }
}
