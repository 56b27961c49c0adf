// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import Foundation
import LogImport
import SessionAudit
import SessionLog

/// `firemeter audit replay`.
struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replay a session with each strategy and show what each would have cost.",
        discussion: discussion
    )

    @Argument(help: "The session log.")
    var log: String
    @Option(
        name: .customLong("strategy"),
        help: ArgumentHelp(
            "A strategy to replay, as above or one of "
                + Strategy.named.map(\.name).joined(separator: ", ")
                + "; may be given several times. Default: "
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
                + "--emulator; simulate for inferred views without data.",
            valueName: "mode"
        )
    )
    var modeChoice: SessionAuditor.Mode?
    @OptionGroup var serving: ServingOptions
    @Option(
        help: ArgumentHelp(
            "The network of the times: \(Network.shipped.map(\.name).joined(separator: ", ")), or a file.",
            valueName: "name"
        )
    )
    var network = Network.default.name
    @Option(
        help: ArgumentHelp(
            "The screen of the users, in pixels across: wider images are oversized.",
            valueName: "pixels"
        )
    )
    var screenWidth = DisplaySizes.default.postWidth
    @Option(help: ArgumentHelp("The columns of the list on that screen.", valueName: "count"))
    var columns = DisplaySizes.columnCountDefault
    @OptionGroup var comparing: ComparisonOptions
    @Flag(help: "Simulate a part of a log, and write what 'firemeter audit merge' puts together with the other parts.")
    var partial = false
    @Flag(help: "With --partial: for the merged page, what caches would miss, too.")
    var curves = false
    @Flag(
        name: .customLong("no-remedies"),
        help: "With --partial: try no remedies; a second run with --remedies tries those that the whole log needs."
    )
    var hasNoRemedies = false
    @Option(
        help: ArgumentHelp(
            "With --partial: in place of the figures, the remedies of this list, which 'firemeter audit merge --needed' "
                + "wrote.",
            valueName: "file"
        )
    )
    var remedies: String?
    @Option(
        help: ArgumentHelp(
            "With --partial: of a whole log, the users of one of so many parts, such as 2/8.",
            valueName: "k/n"
        )
    )
    var part: LogPart?
    @OptionGroup var loading: InferenceOptions
    @OptionGroup var reporting: ReportOptions

    func validate() throws {
        try checkPart()
        guard (1...100_000).contains(screenWidth), (1...100).contains(columns) else {
            throw ValidationError("--screen-width must be between 1 and 100000, --columns between 1 and 100.")
        }
        if serving.emulator != nil, let modeChoice, modeChoice != .live {
            throw ValidationError("--mode \(modeChoice.rawValue) needs the data set: it cannot go with --emulator.")
        }
    }

    func run() async throws {
        try await exitingWithCode {
            let strategies = try chosenStrategies
            let budget = try reporting.loadBudget()
            let former = try reporting.loadFormerReport()
            let network = try Network(named: network)
            let profile = try comparing.profile()
            try reporting.checkOutputs()
            try budget?.check(strategies: strategies.map(\.name), hasFormer: former != nil)
            let source = try loading.load(log)
            guard !source.isEmpty else { throw AuditError.noViews }
            try checkData(for: source)
            try comparing.checkBaseline(among: strategies.map(\.name), isRecorded: source.usage != nil)
            let auditor = try auditor(of: source, network: network)
            if let remedies {
                let needed = try NeededRemedies.read(remedies)
                let tried = try await auditor.remedies(needed, on: strategies)
                Terminal.endProgress()
                return try reporting.write(try tried.json())
            }
            guard !partial else {
                var report = try await auditor.partialReport(on: strategies, withRemedies: !hasNoRemedies)
                report.put(at: part.map { PartialReport.Place($0.number, of: $0.count) })
                Terminal.endProgress()
                return try reporting.write(try report.json())
            }
            let result = try await auditor.result(of: strategies)
            var report = ReplayReport(
                session: try await AuditedSession(auditor.sessions, from: log),
                profile: profile,
                dailyUserCount: comparing.users,
                network: network,
                outcomes: result.outcomes,
                baseline: comparing.baseline,
                curves: result.curves
            )
            Terminal.endProgress()
            try report.decide(by: budget, comparedTo: former)
            try reporting.write(report)
        }
    }

    /// A large log is simulated by default, for over HTTP it would take hours; so are inferred views, for which a log has no
    /// data but sizes.
    private func mode(of source: SessionSource) -> SessionAuditor.Mode {
        if partial { return .simulate }
        if let modeChoice { return modeChoice }
        let isLarge = source.groupCount > 1 && serving.emulator == nil
        return isLarge || source.header.imported != nil && !serving.isGiven ? .simulate : serving.mode
    }

    /// A part is simulated: what is asked over HTTP is in no order that parts could keep.
    private func checkPart() throws {
        guard partial || part == nil && !curves && !hasNoRemedies && remedies == nil else {
            throw ValidationError("--part, --curves, --remedies and --no-remedies go with --partial.")
        }
        guard !hasNoRemedies || remedies == nil && !curves else {
            throw ValidationError("--no-remedies goes with neither --remedies nor --curves.")
        }
        guard partial else { return }
        guard modeChoice == nil || modeChoice == .simulate, serving.emulator == nil else {
            throw ValidationError("--partial goes with --mode simulate.")
        }
        guard reporting.isPlainJSON else {
            throw ValidationError(
                "--partial writes JSON for 'firemeter audit merge', which takes --format, --budget and --compare-to."
            )
        }
    }

    /// A simulation of inferred views asks no server.
    private func checkData(for source: SessionSource) throws {
        guard source.header.imported != nil, serving.isGiven, mode(of: source) == .simulate else { return }
        throw CommandFailure.sizesOfLog(log, advice: "; add --mode live or --mode verify")
    }

    private func auditor(of source: SessionSource, network: Network) throws -> SessionAuditor {
        try SessionAuditor(
            source,
            keeping: { client in part?.has(client) ?? true },
            path: log,
            servers: serving.servers,
            mode: mode(of: source),
            network: network,
            display: DisplaySizes(screenWidth: screenWidth, columnCount: columns),
            wantsCurves: curves || reporting.wants(.html),
            keepingAnswersIn: CacheDirectory.url,
            onSeedProgress: Terminal.seedProgress,
            onSeeded: Terminal.seeded,
            onProgress: Terminal.replayProgress
        )
    }

    /// Those of the file come after those of the command line.
    private var chosenStrategies: [Strategy] {
        get throws {
            let chosen = try strategies.map { try Strategy($0) } + (strategyFile.map(Strategy.file) ?? [])
            var names: Set<String> = []
            if let twice = chosen.first(where: { !names.insert($0.name).inserted }) {
                throw CommandFailure(
                    exitCode: 64,
                    message: "two strategies are called '\(twice.name)'; name them apart"
                )
            }
            return chosen.isEmpty ? Strategy.presets : chosen
        }
    }
}

extension SessionAuditor.Mode: ExpressibleByArgument {}
