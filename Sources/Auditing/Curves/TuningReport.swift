// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Metering

/// Which cache a strategy should have, for people and programs.
package struct TuningReport: Sendable {
    /// The log's path, as it was given.
    let log: String
    /// The strategy to cache for.
    let strategy: Strategy
    /// Whether the cache is on disk, or in memory.
    let isOnDisk: Bool
    let tuning: CacheTuning
    /// The strategy with the smallest of the choices, as it was simulated.
    let outcome: StrategyOutcome

    /// Creates a report.
    package init(
        log: String,
        strategy: Strategy,
        isOnDisk: Bool,
        tuning: CacheTuning,
        outcome: StrategyOutcome
    ) {
        self.log = log
        self.strategy = strategy
        self.isOnDisk = isOnDisk
        self.tuning = tuning
        self.outcome = outcome
    }

    /// The report for people.
    package var table: String {
        var table = TextTable(heading: ["policy", "smallest cache", "bytes missed", "above the best"])
        for choice in tuning.choices {
            let above =
                Double(choice.missByteCount - tuning.bestMissByteCount) / Double(max(1, tuning.bestMissByteCount))
            table.add([
                choice.policy.name, "\(ByteSize(Int64(choice.byteCountMax)))", Figure.megabytes(choice.missByteCount),
                Figure.hundredths(100 * above) + " %",
            ])
        }
        return """
            \(log): the smallest cache \(isOnDisk ? "on disk" : "in memory") of each user's device that misses at most \
            \(CacheTuning.tolerancePercent) % more bytes of images
            than the best of any size, \(Figure.megabytes(tuning.bestMissByteCount)), for what \(strategy.name) asks for

            \(table.rendered)

            take \(outcome.strategy.name): simulated, it downloads \(Figure.megabytes(outcome.usage.sent.body)) in all

            """
    }

    /// The report as JSON of schema `firemeter.tuning/1`, its keys sorted.
    package func json() throws -> String { try JSONReport.text(of: TuningJSON(self)) }

    private struct TuningJSON: Encodable {
        struct Choice: Encodable {
            let policy: String
            let cacheBytes: Int
            let missedBytes: Int64
        }

        let schema = "firemeter.tuning/1"
        let log: String
        let strategy: String
        let cache: String
        let bestMissedBytes: Int64
        let choices: [Choice]
        let take: String
        let bytes: Int64

        init(_ report: TuningReport) {
            log = report.log
            strategy = report.strategy.name
            cache = report.isOnDisk ? "disk" : "memory"
            bestMissedBytes = report.tuning.bestMissByteCount
            choices = report.tuning.choices.map {
                Choice(policy: $0.policy.name, cacheBytes: $0.byteCountMax, missedBytes: $0.missByteCount)
            }
            take = report.outcome.strategy.name
            bytes = report.outcome.usage.sent.body
        }
    }
}
