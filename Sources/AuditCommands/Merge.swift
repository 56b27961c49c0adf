// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import LogImport
import Metering

/// `firemeter audit merge`.
struct Merge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Merge the reports on a log's parts to the report on all of it.",
        discussion: """
            A log is split by its users: each part has the log's header and the views of some users. 'firemeter audit \
            replay --partial' simulates a part, with --part K/N the users of one of N parts of a whole log. What is merged is, to the byte, what \
            one run over the whole log would have reported; the page has curves of caches where the parts were made with --curves. \
            A file has one partial report or several, each in a line of its own; '-' is standard input. Any tree of merges with \
            --partial, in any order, ends in the same bytes. Parts of 'firemeter audit totals --partial' are merged \
            likewise, to a table or JSON.

            Parts of 'firemeter audit replay --partial' try all remedies that any part could need. With --no-remedies \
            they try none: then --needed lists those that the whole needs, a second run with --remedies tries them, and --remedies takes its parts.

            Examples:
              seq 8 | xargs -P8 -I{} firemeter audit replay session.log --partial --part {}/8 --output part{}.json
              firemeter audit merge part*.json --budget budget.json
              cat part*.json | firemeter audit merge - --format html --output report.html
              ls usage_*.csv | xargs -P8 -I{} firemeter audit totals {} --partial | firemeter audit merge -
            """
    )

    @Argument(help: "The partial reports; '-' is standard input.")
    var parts: [String]
    @Flag(help: "Write a partial report again, of all parts that were merged.")
    var partial = false
    @Flag(help: "Write which remedies parts without any need, for 'firemeter audit replay --partial --remedies'.")
    var needed = false
    @Option(help: ArgumentHelp("The remedies that the second run tried, merged.", valueName: "file"))
    var remedies: String?
    @Option(
        name: .customLong("log"),
        help: ArgumentHelp(
            "The name of the log in the report, in place of the parts'; of totals it may be given several times.",
            valueName: "name"
        )
    )
    var logs: [String] = []
    @OptionGroup var comparing: ComparisonOptions
    @OptionGroup var reporting: ReportOptions

    func validate() throws {
        guard !partial && !needed || reporting.isPlainJSON else {
            throw ValidationError("--partial and --needed write JSON for another command.")
        }
        guard remedies == nil || !partial && !needed else {
            throw ValidationError("--remedies goes with a report, and not with --partial or --needed.")
        }
    }

    func run() async throws {
        try await exitingWithCode {
            let budget = try reporting.loadBudget()
            let former = try reporting.loadFormerReport()
            let profile = try comparing.profile()
            try reporting.checkOutputs()
            let parts = try parts.map { (name: $0, path: try InputLog.path($0)) }
            if let (totals, logs) = try mergedTotals(parts) { return try write(totals, of: logs, profile: profile) }
            if let tried = try mergedRemedies(parts) {
                guard partial else {
                    throw CommandFailure(
                        exitCode: 64,
                        message: "remedies are merged with --partial, for --remedies of another merge"
                    )
                }
                return try reporting.write(try tried.json())
            }
            var whole = try merged(parts)
            if !logs.isEmpty { whole.setName(ofLog: logs.joined(separator: ", ")) }
            guard !needed else { return try reporting.write(try await whole.needed().json()) }
            guard !partial else { return try reporting.write(try whole.json()) }
            try budget?.check(strategies: whole.strategyNames, hasFormer: former != nil)
            try comparing.checkBaseline(among: whole.strategyNames, isRecorded: whole.isRecorded)
            var report = try await whole.report(
                profile: profile,
                dailyUserCount: comparing.users,
                baseline: comparing.baseline,
                remedies: try triedRemedies()
            )
            try report.decide(by: budget, comparedTo: former)
            try reporting.write(report)
        }
    }

    private func merged(_ parts: [(name: String, path: String)]) throws -> PartialReport {
        var whole: PartialReport?
        for (name, path) in parts {
            for part in try PartialReport.all(at: path) {
                if whole == nil { whole = part } else { try whole?.add(part, from: name) }
            }
        }
        guard let whole else { preconditionFailure("a file has a partial report, or there is an error") }
        return whole
    }

    private func triedRemedies() throws -> RemedyPart? {
        guard let remedies else { return nil }
        guard let tried = try mergedRemedies([(name: remedies, path: try InputLog.path(remedies))]) else {
            throw CommandFailure(exitCode: 65, message: "\(remedies) is no \(RemedyPart.noun)")
        }
        return tried
    }

    /// The remedies of all parts; `nil` where the first file has something else.
    private func mergedRemedies(_ parts: [(name: String, path: String)]) throws -> RemedyPart? {
        var whole: RemedyPart?
        for (name, path) in parts {
            let areRemedies = try RemedyPart.forEach(at: path, named: name) { part in
                try part.check(from: name)
                if whole == nil { whole = part } else { try whole?.add(part, from: name) }
            }
            guard areRemedies || whole == nil else {
                throw CommandFailure(exitCode: 64, message: "\(name) has no remedies, as the others have")
            }
            if !areRemedies { return nil }
        }
        return whole
    }

    /// The sum of parts of totals, and the names of their logs; `nil` where the first file has something else.
    private func mergedTotals(_ parts: [(name: String, path: String)]) throws -> (LogTotals, logs: [String])? {
        var whole: LogTotals?
        var logs: [String] = []
        for (name, path) in parts {
            let areTotals = try TotalsPart.forEach(at: path, named: name) { part in
                let totals = try part.totals(from: name)
                guard whole == nil || whole?.groupedBy == totals.groupedBy else {
                    throw CommandFailure(exitCode: 64, message: "\(name) is broken down by another property")
                }
                if whole == nil { whole = totals } else { whole?.add(totals) }
                logs += part.logs
            }
            guard areTotals || whole == nil else {
                throw CommandFailure(exitCode: 64, message: "\(name) has no totals, as the others have")
            }
            if !areTotals { return nil }
        }
        return whole.map { ($0, logs) }
    }

    private func write(_ totals: LogTotals, of logs: [String], profile: PriceProfile) throws {
        let part = TotalsPart(totals, of: self.logs.isEmpty ? logs : self.logs)
        guard !partial else { return try reporting.write(try part.json()) }
        guard [nil, .table, .json].contains(reporting.format), reporting.budget == nil, reporting.compareTo == nil
        else {
            throw CommandFailure(exitCode: 64, message: "totals are merged to a table or to JSON")
        }
        let report = TotalsReport(self.logs.isEmpty ? part.logs : self.logs, totals: totals, profile: profile)
        let isJSON = reporting.format == .json || reporting.outputs.first?.hasSuffix(".json") == true
        try reporting.write(isJSON ? report.json() : report.table)
    }
}
