// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import Metering

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
    @Option(
        help: ArgumentHelp(
            "The prices and free amounts: \(PriceProfile.shippedNames.joined(separator: ", ")), a file, or several "
                + "joined by '+'.",
            valueName: "name"
        )
    )
    var profile = PriceProfile.spark2023.name
    @Option(help: ArgumentHelp(ReplayReport.usersHelp, valueName: "count"))
    var users: Int64?
    @Option(
        help: ArgumentHelp(
            "The strategy that the others are compared with, or 'recorded'. Default: the first row.",
            valueName: "name"
        )
    )
    var baseline: String?
    @OptionGroup var reporting: ReportOptions

    func validate() throws { try ReplayReport.checkDailyUserCount(users) }

    func run() async throws {
        try await exitingWithCode {
            let budget = try reporting.loadBudget()
            let former = try reporting.loadFormerReport()
            let profile = try PriceProfile(named: profile)
            var whole = try PartialReport(at: parts[0])
            for path in parts.dropFirst() { try whole.add(try PartialReport(at: path), from: path) }
            try reporting.checkOutputs()
            try budget?.check(strategies: whole.strategyNames, hasFormer: former != nil)
            try ReplayReport.check(baseline, among: whole.strategyNames, isRecorded: whole.isRecorded)
            var report = try await whole.report(profile: profile, dailyUserCount: users, baseline: baseline)
            try report.decide(by: budget, comparedTo: former)
            try reporting.write(report)
        }
    }
}

extension ReplayReport {
    static let usersHelp =
        "The daily users that costs are given for. Default: \(dailyUserCountDefault), or the log's users where they are more."

    static func checkDailyUserCount(_ count: Int64?) throws {
        guard (1...1_000_000_000).contains(count ?? 1) else {
            throw ValidationError("--users must be between 1 and 1000000000.")
        }
    }

    static func check(_ baseline: String?, among strategies: [String], isRecorded: Bool) throws {
        guard let baseline else { return }
        let names = (isRecorded ? [Strategy.recorded.name] : []) + strategies
        guard names.contains(baseline) else {
            throw CommandFailure(
                exitCode: 64,
                message: "--baseline: '\(baseline)' is not among \(names.joined(separator: ", "))"
            )
        }
    }
}
