// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import Foundation
import LocalFirebase
import SessionLog

extension Replay {
    /// Replays in the mode asked for, against the emulator that was named or one that is made for it.
    func measure(
        _ session: SessionLog,
        _ strategies: [Strategy],
        _ network: Network
    ) async throws -> [StrategyOutcome] {
        defer { Terminal.endProgress() }
        if let address = self.emulator {
            return try await live(session, console: address).outcomes(of: strategies)
        }
        let emulator = Emulator(
            try configuration(for: session),
            onSeedProgress: Terminal.seedProgress,
            onSeeded: Terminal.seeded
        )
        switch mode {
        case .simulate:
            return try await emulator.runDirectly(stoppingOn: Emulator.terminationSignals) { servers in
                let simulation = try self.simulation(session, servers, network)
                var outcomes: [StrategyOutcome] = []
                for strategy in strategies { outcomes.append(try await simulation.result(of: strategy).outcome) }
                return outcomes
            }
        case .live:
            return try await emulator.run(stoppingOn: Emulator.terminationSignals) { addresses in
                try await live(session, console: addresses.console).outcomes(of: strategies)
            }
        case .verify:
            return try await emulator.runWithServers(stoppingOn: Emulator.terminationSignals) { addresses, servers in
                try await verify(session, strategies, console: addresses.console, simulation(session, servers, network))
            }
        }
    }

    private func verify(
        _ session: SessionLog,
        _ strategies: [Strategy],
        console: String,
        _ simulation: FeedSimulation
    ) async throws -> [StrategyOutcome] {
        let live = live(session, console: console)
        let verification = Verification(of: session)
        var outcomes: [StrategyOutcome] = []
        for strategy in strategies {
            outcomes.append(
                try verification.outcome(
                    live: try await live.result(of: strategy),
                    simulated: try await simulation.result(of: strategy)
                )
            )
        }
        return outcomes
    }

    private func simulation(
        _ session: SessionLog,
        _ servers: DirectServers,
        _ network: Network
    ) throws -> FeedSimulation {
        try FeedSimulation(log: session, answeredBy: SimulatedFirebase(servers: servers), network: network)
    }

    private func live(_ session: SessionLog, console: String) -> FeedReplay {
        FeedReplay(log: session, console: ConsoleClient(address: console)) { progress in
            Terminal.progress("\(progress.strategy.name): view \(progress.doneViewCount) of \(progress.viewCount)")
        }
    }

    /// An emulator whose clock stands at the session's start and whose tokens are counted: each replay is the same.
    private func configuration(for session: SessionLog) throws -> EmulatorConfiguration {
        let start = session.header.createdAt.microseconds
        var configuration = EmulatorConfiguration(now: { start }, makeToken: CountedTokens().make)
        configuration.ports = .free
        configuration.seedPath = try seed ?? dataSetPath(of: session)
        return configuration
    }

    private func dataSetPath(of session: SessionLog) throws -> String {
        guard let dataSet = session.header.dataSet else {
            throw CommandFailure(
                exitCode: 64,
                message: "\(log) does not name its data set; give one with --seed, or an --emulator"
            )
        }
        let directory = URL(fileURLWithPath: log).deletingLastPathComponent()
        return URL(fileURLWithPath: dataSet, relativeTo: directory).standardizedFileURL.path
    }
}
