// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import LogImport
import Metering

/// `audit totals`.
struct Totals: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add up what logs that you have say: requests, bytes, operations, costs.",
        discussion: """
            Usage logs of Cloud Storage (CSV), HTTP archives (HAR), entries of Cloud Logging (JSON), and access logs of nginx \
            and Apache (combined); plain or gzip. Memory does not grow with them; requests that usage logs and Cloud Logging \
            name twice count once, where the second is within half a million of the first. Costs are those of Cloud Storage, \
            whoever answered.

            Examples:
              audit totals usage_2026_11_20_*.csv.gz
              audit totals access.log --profile blaze-firebasestorage-app
              audit totals session.har --format json
            """
    )

    /// The forms of the report.
    enum Form: String, ExpressibleByArgument, CaseIterable { case table, json }

    @Argument(help: "The logs.")
    var logs: [String]
    @Option(
        help: ArgumentHelp(
            "The format of the logs: \(LogFormat.allCases.map(\.rawValue).joined(separator: ", ")). Default: what each begins as.",
            valueName: "name"
        )
    )
    var logFormat: LogFormat?
    @Option(
        help: ArgumentHelp(
            "The prices and free amounts: \(PriceProfile.shippedNames.joined(separator: ", ")), or a file.",
            valueName: "name"
        )
    )
    var profile = PriceProfile.spark2023.name
    @Option(help: "The form of the report: table or json.")
    var format = Form.table

    func run() async throws {
        try await exitingWithCode {
            let profile = try PriceProfile(named: profile)
            var totals = LogTotals()
            for log in logs {
                Terminal.progress("reading \(log)")
                try LogReader(log, format: logFormat).read(into: &totals)
            }
            totals.finish()
            Terminal.endProgress()
            let report = TotalsReport(logs, totals, profile: profile)
            Terminal.say(format == .json ? try report.json() : report.table)
        }
    }
}

extension LogFormat: ExpressibleByArgument {}
