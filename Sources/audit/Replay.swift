// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import Foundation
import SessionLog

/// `audit replay`.
struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replay a session with each strategy and show what each would have cost.",
        discussion: """
            Every strategy runs the log's views through the real client over real HTTP against an emulator that is \
            started for the purpose and seeded with the log's data set. The bytes are the meter's; they are checked \
            against what the client received.

            Examples:
              audit replay fixtures/session.log
              audit replay fixtures/session.log --seed ~/Pictures/feed
              audit replay session.log --strategy all-images --strategy thumbnails --format json
              audit replay session.log --emulator 127.0.0.1:4000
            """
    )

    /// The forms of a report.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table
        case json
    }

    @Argument(help: "The session log.")
    var log: String
    @Option(
        name: .customLong("strategy"),
        help: ArgumentHelp(
            "A strategy to replay; may be given several times, the first is the baseline. Default: all of "
                + Strategy.presets.map(\.name).joined(separator: ", ") + ".",
            valueName: "name"
        )
    )
    var strategies: [String] = []
    @Option(help: ArgumentHelp("The data set to serve, instead of the one the log names.", valueName: "path"))
    var seed: String?
    @Option(
        help: ArgumentHelp(
            "Use the emulator whose console is at this address, instead of starting one.",
            valueName: "host:port"
        )
    )
    var emulator: String?
    @Option(help: "The form of the report: table or json.")
    var format = Format.table
    @Option(help: ArgumentHelp("Write the report to this file instead of standard output.", valueName: "file"))
    var output: String?

    func validate() throws {
        if seed != nil, emulator != nil {
            throw ValidationError("--seed is for an emulator that audit starts: it cannot go with --emulator.")
        }
    }

    func run() async throws {
        try await exitingWithCode {
            let strategies = try Strategy.named(strategies)
            let session = try SessionLog.load(log)
            if session.skippedLineCount > 0 {
                Terminal.note("\(log): skipped \(session.skippedLineCount) lines of unknown types")
            }
            let outcomes = try await measure(session, strategies)
            let report = ReplayReport(log: log, session: session, outcomes: outcomes)
            try write(format == .json ? try report.json() : report.table)
        }
    }

    private func write(_ report: String) throws {
        guard let output else { return Terminal.say(report) }
        do {
            try Data(report.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
        } catch {
            throw CommandFailure.cannotWrite(output, error)
        }
    }
}
