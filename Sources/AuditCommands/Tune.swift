// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import SessionAudit

/// `firemeter audit tune`.
struct Tune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find the smallest cache that misses hardly more bytes than the best.",
        discussion: """
            Every policy is held against what the session's users ask for, each with a cache of their own; the smallest that \
            misses at most \(CacheTuning.tolerancePercent) % more bytes than the best of any size is simulated, and can be \
            given to 'firemeter audit replay --strategy'.

            Examples:
              firemeter audit tune fixtures/session.log
              firemeter audit tune session.log --strategy all-images --cache memory
              firemeter audit tune session.log --strategy 'thumbnails+page:16' --format json
            """
    )

    /// The forms of the report.
    enum Format: String, ExpressibleByArgument, CaseIterable { case table, json }

    /// Where the cache is.
    enum Place: String, ExpressibleByArgument, CaseIterable { case disk, memory }

    @Argument(help: "The session log.")
    var log: String
    @OptionGroup var session: SessionOptions
    @Option(help: "Where the cache is: disk, which a relaunch leaves, or memory.")
    var cache = Place.disk
    @Option(help: "The form of the report: table or json.")
    var format = Format.table

    func run() async throws {
        try await exitingWithCode {
            let strategy = try session.strategy()
            let (tuning, outcome) = try await session.auditor(of: log).tuning(of: strategy, isOnDisk: cache == .disk)
            Terminal.endProgress()
            let report = TuningReport(
                log: log,
                strategy: strategy,
                isOnDisk: cache == .disk,
                tuning: tuning,
                outcome: outcome
            )
            try Terminal.say(format == .json ? report.json() : report.table)
        }
    }
}
