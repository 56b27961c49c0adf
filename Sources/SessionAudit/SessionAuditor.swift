// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Auditing
package import LocalFirebase
package import LogImport
import Metering
package import SessionLog

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
        /// An emulator that is made for it, with this data set or the one that the log names.
        case dataSet(String?)
    }

    let session: SessionLog
    /// The usage of a recorded log whose views were inferred.
    let recorded: RecordedUsage?
    let path: String
    private let servers: Servers
    private let mode: Mode
    let network: Network
    let display: DisplaySizes
    let wantsCurves: Bool
    private let onSeedProgress: @Sendable (SeedProgress) -> Void
    private let onSeeded: @Sendable (SeedOutcome) -> Void
    private let onProgress: @Sendable (ReplayProgress) -> Void

    /// Creates an auditor of a session that was read from a path.
    package init(
        session: SessionLog,
        recorded: RecordedUsage? = nil,
        path: String,
        servers: Servers = .dataSet(nil),
        mode: Mode = .verify,
        network: Network = .default,
        display: DisplaySizes = .default,
        wantsCurves: Bool = false,
        onSeedProgress: @escaping @Sendable (SeedProgress) -> Void = { _ in },
        onSeeded: @escaping @Sendable (SeedOutcome) -> Void = { _ in },
        onProgress: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) {
        self.session = session
        self.recorded = recorded
        self.path = path
        self.servers = servers
        self.mode = mode
        self.network = network
        self.display = display
        self.wantsCurves = wantsCurves
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
        switch (servers, session.header.imported == nil ? mode : .simulate) {
        case (.emulator(let address), _):
            return Result(outcomes: try await live(address).outcomes(of: strategies))
        case (.dataSet(let seed), .live):
            return try await emulator(seed, for: strategies).run(stoppingOn: signals) {
                Result(outcomes: try await live($0.console).outcomes(of: strategies))
            }
        case (.dataSet, .simulate):
            return try await simulating(strategies + trials(for: strategies)) { simulation in
                var outcomes: [StrategyOutcome] = []
                for strategy in strategies { outcomes.append(try await simulation.result(of: strategy).outcome) }
                return try await completed(outcomes, simulation: simulation)
            }
        case (.dataSet(let seed), .verify):
            let emulator = try emulator(seed, for: strategies + trials(for: strategies))
            return try await emulator.runWithServers(stoppingOn: signals) { addresses, servers in
                try await verified(strategies, live: live(addresses.console), simulation: simulation(servers))
            }
        }
    }

    /// The strategies tried beside these, to find better ones.
    func trials(for strategies: [Strategy]) -> [Strategy] { FindingSearch.trials(for: strategies, on: displayOfCopies) }

    /// How wide images are shown; `nil` for a log without the sizes of their smaller copies.
    private var displayOfCopies: DisplaySizes? { session.header.imported == nil ? display : nil }

    /// Simulates over the servers of a data set, which have what these strategies ask for.
    ///
    /// For a part of a log, what no view explains is left out: it belongs to the whole.
    func simulating<Value: Sendable>(
        _ strategies: [Strategy],
        isPart: Bool = false,
        _ body: @escaping @Sendable (FeedSimulation) async throws -> Value
    ) async throws -> Value {
        if session.header.imported != nil { return try await body(simulation(nil, isPart: isPart)) }
        guard case .dataSet(let seed) = servers else {
            preconditionFailure("an emulator elsewhere is asked over HTTP only")
        }
        let emulator = try emulator(seed, for: strategies)
        return try await emulator.runDirectly(stoppingOn: Emulator.terminationSignals) { servers in
            try await body(simulation(servers))
        }
    }

    private func emulator(_ seed: String?, for strategies: [Strategy]) throws -> Emulator {
        let configuration = try EmulatorConfiguration(for: session, at: path, seed: seed, strategies: strategies)
        return Emulator(configuration, onSeedProgress: onSeedProgress, onSeeded: onSeeded)
    }

    private func verified(
        _ strategies: [Strategy],
        live: FeedReplay,
        simulation: FeedSimulation
    ) async throws -> Result {
        let verification = Verification(of: session)
        var outcomes: [StrategyOutcome] = []
        for strategy in strategies {
            let simulated = try await simulation.result(of: strategy)
            outcomes.append(try verification.outcome(live: try await live.result(of: strategy), simulated: simulated))
        }
        return try await completed(outcomes, simulation: simulation)
    }

    /// Adds what was found, and the curves.
    private func completed(_ simulated: [StrategyOutcome], simulation: FeedSimulation) async throws -> Result {
        let outcomes = (recorded.map { [StrategyOutcome(recorded: $0)] } ?? []) + simulated
        let search = FindingSearch(on: displayOfCopies) { try await simulation.byteCount(trying: $0) }
        var result = Result(outcomes: try await search.outcomesWithFindings(outcomes))
        if let recorded, let best = StrategyOutcome.best(of: simulated) {
            let listening = best.strategy.listening
            result.outcomes[0].readRemedy = StrategyOutcome.ReadRemedy(
                listening,
                screens: try await simulation.result(of: listening).outcome.documentReadsByScreen,
                other: recorded.otherDocumentReads,
                insteadOf: result.outcomes[0]
            )
        }
        if wantsCurves, let best = StrategyOutcome.best(of: simulated) {
            let traces = try await simulation.imageTraces(of: best.strategy)
            result.curves = try ImageCurves(best.strategy.name, of: traces.byClient)
        }
        return result
    }

    private func live(_ console: String) -> FeedReplay {
        FeedReplay(log: session, console: ConsoleClient(address: console), onProgress: onProgress)
    }

    /// A simulation, with what no view explains, or without it.
    private func simulation(_ servers: DirectServers?, isPart: Bool = false) throws -> FeedSimulation {
        try FeedSimulation(
            log: session,
            other: isPart ? [:] : recorded?.other ?? [:],
            answeredBy: servers.map(SimulatedFirebase.init),
            network: network,
            display: display,
            onProgress: onProgress
        )
    }
}
