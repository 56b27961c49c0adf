// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Auditing
import FeedClient

extension SessionAuditor {
    /// Simulates strategies for the users of the session, as one part of a log's; a part may have no users.
    ///
    /// Without remedies, the report on all parts needs ``remedies(_:on:)`` of them, too.
    package func partialReport(
        on strategies: [Strategy],
        withRemedies hasRemedies: Bool = true
    ) async throws -> PartialReport {
        let trials = hasRemedies ? trials(for: strategies) : []
        let listening = hasRemedies ? listening(strategies) : [:]
        let summary = try await AuditedSession(sessions, from: path)
        guard summary.viewCount > 0 else {
            let outcomes = strategies.map(StrategyOutcome.init(ofNobody:))
            return PartialReport(
                summary,
                traced: nil,
                network: network,
                display: display,
                hasCopies: displayOfCopies != nil,
                outcomes: outcomes,
                tried: TriedRemedies(byNobody: trials, listening: listening)
            )
        }
        return try await simulating(strategies + trials, isPart: true) { simulation in
            let (outcomes, traced) = try await simulation.outcomesAndTracedViews(of: strategies)
            return PartialReport(
                summary,
                traced: traced,
                network: network,
                display: display,
                hasCopies: displayOfCopies != nil,
                outcomes: outcomes,
                curves: hasRemedies ? try await wholeCurves(of: strategies, simulation: simulation) : [:],
                tried: try await tried(trials, listening: listening, simulation: simulation)
            )
        }
    }

    /// Tries the remedies that the report on all parts needs, for the users of this one.
    package func remedies(_ needed: NeededRemedies, on strategies: [Strategy]) async throws -> RemedyPart {
        let trials = try needed.trials.map { try Strategy($0) }
        let listening = try Dictionary(
            needed.readTrials.map { ($0, try Strategy($0)) },
            uniquingKeysWith: { first, _ in first }
        )
        let summary = try await AuditedSession(sessions, from: path)
        guard summary.viewCount > 0 else {
            return RemedyPart(summary, on: display, tried: TriedRemedies(byNobody: trials, listening: listening))
        }
        let drawn = strategies.filter { needed.curves.contains($0.name) }
        return try await simulating(strategies + trials, isPart: true) { simulation in
            RemedyPart(
                summary,
                on: display,
                tried: try await tried(trials, listening: listening, simulation: simulation),
                curves: try await wholeCurves(of: drawn, simulation: simulation)
            )
        }
    }

    private func tried(
        _ trials: [Strategy],
        listening: [String: Strategy],
        simulation: FeedSimulation
    ) async throws -> TriedRemedies {
        TriedRemedies(
            Array(zip(trials, try await simulation.byteCounts(trying: trials))),
            documentReads: try await documentReads(of: listening, simulation: simulation)
        )
    }

    /// The document reads of the strategies with listeners; of those that differ in images alone, simulated once.
    private func documentReads(
        of listening: [String: Strategy],
        simulation: FeedSimulation
    ) async throws -> [String: [String: Int64]] {
        var byPageSize: [Int?: [String: Int64]] = [:]
        var reads: [String: [String: Int64]] = [:]
        for (text, strategy) in listening.sorted(by: { $0.key < $1.key }) {
            if byPageSize[strategy.pageSize] == nil {
                byPageSize[strategy.pageSize] = try await simulation.outcomes(of: [strategy])[0].documentReadsByScreen
            }
            reads[text] = byPageSize[strategy.pageSize]
        }
        return reads
    }

    /// The strategies with listeners, by their texts, where they are compared with what really happened.
    private func listening(_ strategies: [Strategy]) -> [String: Strategy] {
        guard recorded != nil else { return [:] }
        return Dictionary(strategies.map(\.listening).map { ($0.text, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The curves of strategies, by their names.
    private func wholeCurves(
        of strategies: [Strategy],
        simulation: FeedSimulation
    ) async throws -> [String: ImageCurves] {
        guard wantsCurves else { return [:] }
        var curves: [String: ImageCurves] = [:]
        for strategy in strategies { curves[strategy.name] = try await simulation.curves(of: strategy, .whole) }
        return curves
    }
}

extension TriedRemedies {
    fileprivate init(byNobody trials: [Strategy], listening: [String: Strategy]) {
        self.init(trials.map { ($0, 0) }, documentReads: listening.mapValues { _ in [:] })
    }
}
