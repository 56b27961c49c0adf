// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import Foundation
import LocalFirebase
import SessionLog

extension Replay {
    /// Replays against the emulator that was named, or against one that is started for it.
    func measure(_ session: SessionLog, _ strategies: [Strategy]) async throws -> [StrategyOutcome] {
        if let emulator {
            return try await replay(session, strategies, console: emulator)
        }
        let emulator = Emulator(
            try configuration(for: session),
            onSeedProgress: Terminal.seedProgress,
            onSeeded: Terminal.seeded
        )
        return try await emulator.run(stoppingOn: Emulator.terminationSignals) { addresses in
            try await replay(session, strategies, console: addresses.console)
        }
    }

    private func replay(
        _ session: SessionLog,
        _ strategies: [Strategy],
        console: String
    ) async throws -> [StrategyOutcome] {
        defer { Terminal.endProgress() }
        let replay = FeedReplay(log: session, console: ConsoleClient(address: console)) { progress in
            Terminal.progress("\(progress.strategy.name): view \(progress.doneViewCount) of \(progress.viewCount)")
        }
        return try await replay.outcomes(of: strategies)
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
