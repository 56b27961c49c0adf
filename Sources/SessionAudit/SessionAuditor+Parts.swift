// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Auditing
import FeedClient
import SessionLog

extension SessionAuditor {
    /// Simulates strategies for the users of the session, as one part of a log's; a part may have no users.
    package func partialReport(on strategies: [Strategy], place: PartialReport.Place?) async throws -> PartialReport {
        let trials = trials(for: strategies)
        let summary = AuditedSession(session, from: path)
        guard !session.views.isEmpty else {
            let outcomes = strategies.map(StrategyOutcome.init(ofNobody:))
            return PartialReport(
                summary,
                of: session,
                place: place,
                network: network,
                display: display,
                outcomes: outcomes,
                trials: trials.map { ($0, 0) }
            )
        }
        return try await simulating(strategies + trials) { simulation in
            var outcomes: [StrategyOutcome] = []
            for strategy in strategies { outcomes.append(try await simulation.result(of: strategy).outcome) }
            var tried: [(strategy: Strategy, byteCount: Int64?)] = []
            for strategy in trials { tried.append((strategy, try await simulation.byteCount(trying: strategy))) }
            return PartialReport(
                summary,
                of: session,
                place: place,
                network: network,
                display: display,
                outcomes: outcomes,
                curves: try await wholeCurves(of: strategies, simulation: simulation),
                trials: tried
            )
        }
    }

    /// The curves of strategies, by their names.
    private func wholeCurves(
        of strategies: [Strategy],
        simulation: FeedSimulation
    ) async throws -> [String: ImageCurves] {
        guard wantsCurves else { return [:] }
        var curves: [String: ImageCurves] = [:]
        for strategy in strategies {
            let traces = try await simulation.imageTraces(of: strategy)
            curves[strategy.name] = try ImageCurves(strategy.name, of: traces.byClient, .whole)
        }
        return curves
    }
}
