// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// Finds what strategies download without need, and tries what would keep them from it.
package struct FindingSearch: Sendable {
    /// Computes how many bytes of bodies a strategy downloads that was not asked for; `nil` where it cannot be had.
    package typealias Trial = @Sendable (Strategy) async throws -> Int64?

    private let display: DisplaySizes?
    private let trial: Trial

    /// Creates a search that tries strategies this way.
    ///
    /// `display` is how wide images are shown; `nil` where smaller copies of them cannot be had.
    package init(on display: DisplaySizes?, trying trial: @escaping Trial) {
        self.display = display
        self.trial = trial
    }

    /// Whatever avoids a cause of waste in one of these strategies, but for those that are among them.
    package static func trials(for strategies: [Strategy], on display: DisplaySizes?) -> [Strategy] {
        var known = Set(strategies.map(\.nameless))
        return strategies.flatMap { strategy in
            DownloadCause.allCases.filter(\.isWaste).compactMap { strategy.avoiding($0, on: display) }
                + [strategy.avoidingAll(on: display)].compactMap { $0 }
        }.filter { known.insert($0.nameless).inserted }
    }

    /// The outcomes with what was found in them; those without causes stay as they are.
    ///
    /// A strategy that was asked for anyway is not tried again. For what really happened, the simulated strategy nearest to it
    /// is changed; or it is the remedy itself, where it downloads nothing for the cause.
    package func outcomesWithFindings(_ outcomes: [StrategyOutcome]) async throws -> [StrategyOutcome] {
        var known: [Strategy: (name: String, byteCount: Int64?)] = [:]
        for outcome in outcomes where !outcome.isRecorded {
            let strategy = outcome.strategy
            known[strategy.nameless] = known[strategy.nameless] ?? (strategy.name, outcome.usage.sent.body)
        }
        func remedy(_ strategy: Strategy, below byteCount: Int64) async throws -> Finding.Remedy? {
            if known[strategy.nameless] == nil {
                known[strategy.nameless] = (strategy.name, try await trial(strategy))
            }
            guard let tried = known[strategy.nameless], let triedByteCount = tried.byteCount, triedByteCount < byteCount
            else { return nil }
            return Finding.Remedy(strategy: tried.name, byteCount: triedByteCount)
        }
        var found: [StrategyOutcome] = []
        for outcome in outcomes {
            var outcome = outcome
            let model = outcome.isRecorded ? outcome.nearest(among: outcomes) : outcome
            outcome.findings = outcome.causes.map(Finding.all) ?? []
            for index in outcome.findings.indices {
                guard let model, let change = change(of: model, for: outcome.findings[index].cause) else { continue }
                outcome.findings[index].changed = change.changed
                outcome.findings[index].remedy = try await remedy(change.remedy, below: outcome.usage.sent.body)
            }
            let remedies = outcome.findings.compactMap(\.remedy)
            let computed = remedies.map(\.byteCount) + outcomes.map(\.usage.sent.body)
            if remedies.count > 1, let least = computed.min(), let model,
                let all = model.strategy.avoidingAll(on: display) ?? (outcome.isRecorded ? model.strategy : nil)
            {
                outcome.remedyOfAll = try await remedy(all, below: least)
            }
            found.append(outcome)
        }
        return found
    }

    /// A strategy that avoids a cause, and the one that it is a change of; `nil` for that of the outcome.
    private typealias Change = (remedy: Strategy, changed: Strategy?)

    /// The change that avoids a cause; `nil` where none is known to.
    ///
    /// `model` has the outcome's way of loading: it is the outcome, or the one nearest to what really happened.
    private func change(of model: StrategyOutcome, for cause: DownloadCause) -> Change? {
        let strategy = model.strategy
        // Without a cache nothing is downloaded again where nothing is shown again, which helps no user.
        let isCacheMissing = cause == .again && strategy.memory == nil && strategy.disk == nil
        guard model.causes?.amount(of: cause).byteCount == 0, !isCacheMissing else {
            return strategy.avoiding(cause, on: display).map { ($0, strategy) }
        }
        return Refactoring(avoiding: cause, in: strategy) == nil ? nil : (strategy, nil)
    }
}
