// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Auditing
package import Foundation
package import LocalFirebase
package import LogImport
import Metering
import SessionLog

/// Measures strategies on a session: over real HTTP, simulated, or both.
package struct SessionAuditor: Sendable {
    /// How the strategies are measured.
    package enum Mode: String, Sendable, CaseIterable {
        /// Over real HTTP.
        case live
        /// Without a socket.
        case simulate
        /// Both, which must agree.
        case verify
    }

    /// The handler of the requests.
    package enum Servers: Sendable {
        /// The emulator whose console is at this address; it is asked over real HTTP only.
        case emulator(String)
        /// An emulator that is made for it, with these data.
        case own(ServedData)
    }

    /// The data of an emulator that is made for the session.
    package enum ServedData: Sendable, Hashable {
        /// The data set that the log names; for inferred views, objects of the sizes that the log says.
        case ofLog
        /// A data set.
        case dataSet(String)
        /// The data directory of an emulator, which stays as it is.
        case directory(String)
    }

    private let source: SessionSource
    /// The users whose views are simulated.
    package let sessions: SessionGroups
    /// The usage of a recorded log whose views were inferred.
    let recorded: RecordedUsage?
    let path: String
    private let servers: Servers
    private let mode: Mode
    let network: Network
    let display: DisplaySizes
    let wantsCurves: Bool
    /// Where answers of a data set's servers are kept between runs; `nil` for nowhere.
    private let keptAnswers: URL?
    private let onSeedProgress: @Sendable (SeedProgress) -> Void
    private let onSeeded: @Sendable (SeedOutcome) -> Void
    private let onProgress: @Sendable (ReplayProgress) -> Void

    /// Creates an auditor of a session that was read from a path; of its users those are simulated whom a filter keeps.
    package init(
        _ source: SessionSource,
        keeping isKept: @escaping @Sendable (String) -> Bool = { _ in true },
        path: String,
        servers: Servers = .own(.ofLog),
        mode: Mode = .verify,
        network: Network = .default,
        display: DisplaySizes = .default,
        wantsCurves: Bool = false,
        keepingAnswersIn keptAnswers: URL? = nil,
        onSeedProgress: @escaping @Sendable (SeedProgress) -> Void = { _ in },
        onSeeded: @escaping @Sendable (SeedOutcome) -> Void = { _ in },
        onProgress: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) throws {
        self.source = source
        sessions = try SessionGroups(source, keeping: isKept)
        recorded = source.usage
        self.path = path
        self.servers = servers
        self.mode = mode
        self.network = network
        self.display = display
        self.wantsCurves = wantsCurves
        self.keptAnswers = keptAnswers
        self.onSeedProgress = onSeedProgress
        self.onSeeded = onSeeded
        self.onProgress = onProgress
    }

    /// The result of an audit.
    package struct Result: Sendable {
        /// The costs of each strategy, in their order.
        package internal(set) var outcomes: [StrategyOutcome]
        /// The misses of caches of growing sizes, for the images that the best strategy asks for; `nil` where it was not asked
        /// for, or nothing was simulated.
        package internal(set) var curves: ImageCurves?
    }

    /// Measures the strategies one after the other.
    package func result(of strategies: [Strategy]) async throws -> Result {
        let signals = Emulator.terminationSignals
        switch (servers, mode) {
        case (.emulator(let address), _):
            return Result(outcomes: withRecorded(try await live(address).outcomes(of: strategies)))
        case (.own(let data), .live):
            return try await emulator(data, for: strategies).run(stoppingOn: signals) {
                Result(outcomes: withRecorded(try await live($0.console).outcomes(of: strategies)))
            }
        case (.own, .simulate):
            return try await simulating(strategies + trials(for: strategies)) { simulation in
                try await completed(try await simulation.outcomes(of: strategies), simulation: simulation)
            }
        case (.own(let data), .verify):
            let emulator = try emulator(data, for: strategies + trials(for: strategies))
            return try await emulator.runWithServers(stoppingOn: signals) { addresses, servers in
                let console = ConsoleClient(address: addresses.console)
                let feed = try await recordedFeed(on: console)
                return try await verified(
                    strategies,
                    live: try live(console, feed: feed),
                    simulation: simulation(SimulatedFirebase(servers: servers), feed: feed)
                )
            }
        }
    }

    /// The strategies tried beside these, to find better ones.
    func trials(for strategies: [Strategy]) -> [Strategy] { FindingSearch.trials(for: strategies, on: displayOfCopies) }

    /// How wide images are shown; `nil` for a log that does not say how many pixels they have, and so not how large smaller
    /// copies are.
    var displayOfCopies: DisplaySizes? {
        source.header.imported == nil || source.images.contains { $0.pixels != nil } ? display : nil
    }

    /// Simulates over the servers of a data set, which have what these strategies ask for.
    ///
    /// For a part of a log, what no view explains is left out: it belongs to the whole.
    func simulating<Value: Sendable>(
        _ strategies: [Strategy],
        isPart: Bool = false,
        _ body: @escaping @Sendable (FeedSimulation) async throws -> Value
    ) async throws -> Value {
        if source.header.imported != nil { return try await body(simulation(nil, isPart: isPart)) }
        guard case .own(let data) = servers else {
            preconditionFailure("an emulator elsewhere is asked over HTTP only")
        }
        let configuration = try EmulatorConfiguration(for: source, at: path, data: data, strategies: strategies)
        guard let directory = keptAnswers, let key = AnswerKey.key(of: configuration) else {
            return try await emulator(configuration).runDirectly(stoppingOn: Emulator.terminationSignals) { servers in
                try await body(simulation(SimulatedFirebase(servers: servers)))
            }
        }
        let kept = KeptAnswers(key, in: directory)
        let value = try await emulator(configuration).runDirectlyWhenAsked { gate in
            try await body(simulation(SimulatedFirebase(kept, else: gate)))
        }
        kept.save()
        return value
    }

    private func emulator(_ configuration: EmulatorConfiguration) -> Emulator {
        Emulator(configuration, onSeedProgress: onSeedProgress, onSeeded: onSeeded)
    }

    private func emulator(_ data: ServedData, for strategies: [Strategy]) throws -> Emulator {
        let configuration = try EmulatorConfiguration(for: source, at: path, data: data, strategies: strategies)
        return emulator(configuration)
    }

    private func verified(
        _ strategies: [Strategy],
        live: FeedReplay,
        simulation: FeedSimulation
    ) async throws -> Result {
        let verification = Verification(of: try source.whole())
        var outcomes: [StrategyOutcome] = []
        for strategy in strategies {
            let simulated = try await simulation.result(of: strategy)
            outcomes.append(try verification.outcome(live: try await live.result(of: strategy), simulated: simulated))
        }
        return try await completed(outcomes, simulation: simulation)
    }

    /// Adds what was found, and the curves.
    private func completed(_ simulated: [StrategyOutcome], simulation: FeedSimulation) async throws -> Result {
        let outcomes = withRecorded(simulated)
        let search = FindingSearch(on: displayOfCopies) { try await simulation.byteCount(trying: $0) }
        var result = Result(outcomes: try await search.outcomesWithFindings(outcomes))
        if let recorded, let best = StrategyOutcome.best(of: simulated) {
            let listening = best.strategy.listening
            result.outcomes[0].readRemedy = StrategyOutcome.ReadRemedy(
                listening,
                screens: try await simulation.outcomes(of: [listening])[0].documentReadsByScreen,
                other: recorded.otherDocumentReads,
                insteadOf: result.outcomes[0]
            )
        }
        if wantsCurves, let best = StrategyOutcome.best(of: simulated) {
            result.curves = try await simulation.curves(of: best.strategy)
        }
        return result
    }

    /// The outcomes behind that of what really happened, where the log says it.
    private func withRecorded(_ outcomes: [StrategyOutcome]) -> [StrategyOutcome] {
        (recorded.map { [StrategyOutcome(recorded: $0, on: display)] } ?? []) + outcomes
    }

    private func live(_ address: String) async throws -> FeedReplay {
        let console = ConsoleClient(address: address)
        return try live(console, feed: try await recordedFeed(on: console))
    }

    private func live(_ console: ConsoleClient, feed: RecordedFeed?) throws -> FeedReplay {
        FeedReplay(
            log: try source.whole(),
            recorded: feed,
            other: recorded?.other ?? [:],
            console: console,
            onProgress: onProgress
        )
    }

    /// The posts of inferred views, as an emulator has their images; `nil` for other views.
    private func recordedFeed(on console: ConsoleClient) async throws -> RecordedFeed? {
        guard source.header.imported != nil else { return nil }
        return try await RecordedFeed(of: source.images, servedBy: console)
    }

    /// A simulation, with what no view explains, or without it.
    private func simulation(
        _ server: SimulatedFirebase?,
        feed: RecordedFeed? = nil,
        isPart: Bool = false
    ) throws -> FeedSimulation {
        try FeedSimulation(
            of: sessions,
            recorded: feed,
            other: isPart ? [:] : recorded?.other ?? [:],
            answeredBy: server,
            network: network,
            display: display,
            onProgress: onProgress
        )
    }
}
