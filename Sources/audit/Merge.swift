// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing

/// `audit merge`.
struct Merge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Merge the reports on a log's parts to the report on all of it.",
        discussion: """
            A log is split by its users: each part has the log's header and the views of some users. 'audit replay --partial' \
            simulates a part, with --part K/N the users of one of N parts of a whole log. What is merged is, to the byte, what \
            one run over the whole log would have reported; the page has curves of caches where the parts were made with --curves. \
            A file has one partial report or several, each in a line of its own; '-' is standard input. Any tree of merges with \
            --partial, in any order, ends in the same bytes.

            Examples:
              seq 8 | xargs -P8 -I{} audit replay session.log --partial --part {}/8 --output part{}.json
              audit merge part*.json --budget budget.json
              cat part*.json | audit merge - --format html --output report.html
            """
    )

    @Argument(help: "The partial reports; '-' is standard input.")
    var parts: [String]
    @Flag(help: "Write a partial report again, of all parts that were merged.")
    var partial = false
    @OptionGroup var comparing: ComparisonOptions
    @OptionGroup var reporting: ReportOptions

    func validate() throws {
        guard !partial || reporting.isPlainJSON else {
            throw ValidationError("--partial writes JSON for another 'audit merge'.")
        }
    }

    func run() async throws {
        try await exitingWithCode {
            let budget = try reporting.loadBudget()
            let former = try reporting.loadFormerReport()
            let profile = try comparing.profile()
            try reporting.checkOutputs()
            let whole = try merged()
            guard !partial else { return try reporting.write(try whole.json()) }
            try budget?.check(strategies: whole.strategyNames, hasFormer: former != nil)
            try comparing.checkBaseline(among: whole.strategyNames, isRecorded: whole.isRecorded)
            var report = try await whole.report(
                profile: profile,
                dailyUserCount: comparing.users,
                baseline: comparing.baseline
            )
            try report.decide(by: budget, comparedTo: former)
            try reporting.write(report)
        }
    }

    private func merged() throws -> PartialReport {
        var whole: PartialReport?
        for name in parts {
            for part in try PartialReport.all(at: try InputLog.path(name)) {
                if whole == nil { whole = part } else { try whole?.add(part, from: name) }
            }
        }
        guard let whole else { preconditionFailure("a file has a partial report, or there is an error") }
        return whole
    }
}
