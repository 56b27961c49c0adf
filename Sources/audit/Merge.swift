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
            one run over the whole log would have reported; the page has curves of caches where the parts were made with --curves.

            Examples:
              seq 8 | xargs -P8 -I{} audit replay session.log --partial --part {}/8 --output part{}.json
              audit merge part*.json --budget budget.json
            """
    )

    @Argument(help: "The partial reports.")
    var parts: [String]
    @OptionGroup var comparing: ComparisonOptions
    @OptionGroup var reporting: ReportOptions

    func run() async throws {
        try await exitingWithCode {
            let budget = try reporting.loadBudget()
            let former = try reporting.loadFormerReport()
            let profile = try comparing.profile()
            var whole = try PartialReport(at: parts[0])
            for path in parts.dropFirst() { try whole.add(try PartialReport(at: path), from: path) }
            try reporting.checkOutputs()
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
}
