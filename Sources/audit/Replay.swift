// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import FeedClient
import Foundation
import Metering
import SessionAudit
import SessionLog

/// `audit replay`.
struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replay a session with each strategy and show what each would have cost.",
        discussion: """
            Every strategy runs the log's views through the real client over real HTTP against an emulator that is \
            started for the purpose and seeded with the log's data set. The bytes are the meter's; they are checked \
            against what the client received, and against a simulation that must make the same requests.

            A strategy is what is fetched, and parts joined by '+' with their settings after ':'.
              all-images, thumbnails       all images of each post in the list, or the first and the others on opening
              memory:SIZE:POLICY           a cache in memory (64MiB, lru); policies: \(Self.policies)
              disk:SIZE:POLICY:AGE         a cache on disk that survives a relaunch (256MiB, lru, kept for ever)
              prefetch:SIZE                the other images of each page's posts beforehand, within so many bytes
              page:N, concurrency:N        posts of a page (as recorded), images loaded at a time (6)
              url-lookups                  getDownloadURL for each image, whose address the document does not tell
              revalidate                   no generation in the document: each image is held against its server
              no-joining                   an image on its way is loaded again
              http2, layout-last           for times only: one connection; cells wait for their images

            Examples:
              audit replay fixtures/session.log
              audit replay session.log --strategy all-images --strategy 'thumbnails+memory:50MB:sieve+disk:200MB:7d'
              audit replay session.log --mode simulate --strategies ours.json
              audit replay fixtures/session.log --seed ~/Pictures/feed
              audit replay session.log --emulator 127.0.0.1:4000
            """
    )

    private static let policies = CachePolicyChoice.all.map(\.name).joined(separator: ", ")

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
            "A strategy to replay, as above or one of "
                + Strategy.named.map(\.name).joined(separator: ", ")
                + "; may be given several times, the first is the baseline. Default: "
                + Strategy.presets.map(\.name).joined(separator: ", ") + ".",
            valueName: "strategy"
        )
    )
    var strategies: [String] = []
    @Option(
        name: .customLong("strategies"),
        help: ArgumentHelp(
            #"A file of strategies: {"schema":"firemeter.strategies/1","strategies":[{"name":…,"strategy":…}]}."#,
            valueName: "file"
        )
    )
    var strategyFile: String?
    @Option(
        name: .customLong("mode"),
        help: ArgumentHelp(
            "live: real HTTP. simulate: no sockets. verify: both, which must agree. Default: verify, or live with "
                + "--emulator.",
            valueName: "mode"
        )
    )
    var modeChoice: SessionAuditor.Mode?
    @Option(help: ArgumentHelp("The data set to serve, instead of the one the log names.", valueName: "path"))
    var seed: String?
    @Option(
        help: ArgumentHelp(
            "Use the emulator whose console is at this address, instead of starting one.",
            valueName: "host:port"
        )
    )
    var emulator: String?
    @Option(
        help: ArgumentHelp(
            "The network of the times: \(Network.shipped.map(\.name).joined(separator: ", ")), or a file.",
            valueName: "name"
        )
    )
    var network = Network.default.name
    @Option(
        help: ArgumentHelp(
            "The prices and free amounts: \(PriceProfile.shippedNames.joined(separator: ", ")), a file, or several "
                + "joined by '+'.",
            valueName: "name"
        )
    )
    var profile = PriceProfile.spark2023.name
    @Option(help: ArgumentHelp("The daily users that costs are told for.", valueName: "count"))
    var users = ReplayReport.dailyUserCountDefault
    @Option(help: "The form of the report: table or json.")
    var format = Format.table
    @Option(help: ArgumentHelp("Write the report to this file instead of standard output.", valueName: "file"))
    var output: String?

    func validate() throws {
        guard (1...1_000_000_000).contains(users) else {
            throw ValidationError("--users must be between 1 and 1000000000.")
        }
        if emulator != nil, let modeChoice, modeChoice != .live {
            throw ValidationError("--mode \(modeChoice.rawValue) needs the data set: it cannot go with --emulator.")
        }
        if seed != nil, emulator != nil {
            throw ValidationError("--seed is for an emulator that audit starts: it cannot go with --emulator.")
        }
    }

    func run() async throws {
        try await exitingWithCode {
            let strategies = try chosenStrategies
            let session = try SessionLog.load(log)
            if session.skippedLineCount > 0 {
                Terminal.note("\(log): skipped \(session.skippedLineCount) lines of unknown types")
            }
            let network = try Network(named: network)
            let profile = try PriceProfile(named: profile)
            let outcomes = try await auditor(of: session, network).outcomes(of: strategies)
            Terminal.endProgress()
            let report = ReplayReport(
                log: log,
                session: session,
                profile: profile,
                dailyUserCount: users,
                network: network,
                outcomes: outcomes
            )
            try write(format == .json ? try report.json() : report.table)
        }
    }

    private func auditor(of session: SessionLog, _ network: Network) -> SessionAuditor {
        SessionAuditor(
            session: session,
            path: log,
            servers: emulator.map(SessionAuditor.Servers.emulator) ?? .dataSet(seed),
            mode: modeChoice ?? .verify,
            network: network,
            onSeedProgress: Terminal.seedProgress,
            onSeeded: Terminal.seeded
        ) { progress in
            Terminal.progress("\(progress.strategy.name): view \(progress.doneViewCount) of \(progress.viewCount)")
        }
    }

    /// Those of the file come after those of the command line.
    private var chosenStrategies: [Strategy] {
        get throws {
            let chosen = try strategies.map { try Strategy($0) } + (strategyFile.map(Strategy.file) ?? [])
            return chosen.isEmpty ? Strategy.presets : chosen
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

extension SessionAuditor.Mode: ExpressibleByArgument {}
