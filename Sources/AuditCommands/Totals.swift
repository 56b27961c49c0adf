// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import LogImport
import Metering
import SessionLog

/// `firemeter audit totals`.
struct Totals: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add up what logs that you have say: requests, bytes, operations, costs.",
        discussion: """
            Usage logs of Cloud Storage (CSV), HTTP archives (HAR), entries of Cloud Logging (JSON), and access logs of nginx \
            and Apache; plain or gzip. Memory does not grow with them; requests that usage logs and Cloud Logging \
            name twice count once, where the second is within half a million of the first. Costs are those of Cloud Storage, \
            whoever answered; of a HAR, only requests to Firebase's hosts count. A log of 'firemeter serve --record' \
            has its own sums, the meter's. '-' is standard input.

            Examples:
              firemeter audit totals usage_2026_11_20_*.csv.gz
              firemeter audit totals access.log --profile blaze-firebasestorage-app
              firemeter audit totals session.har --format json
              firemeter audit totals session.log --by user
              zcat edge.log.*.gz | firemeter audit totals -
              firemeter audit totals edge.log --log-format '$remote_addr [$time_iso8601] "$request" $status $bytes_sent'
              firemeter audit totals edge.log --log-format '%h %t "%r" %>s %O "%{User-Agent}i"'
            """
    )

    /// The forms of the report.
    enum Form: String, ExpressibleByArgument, CaseIterable { case table, json }

    @OptionGroup var reading: LogOptions
    @Option(
        help: ArgumentHelp(
            "The prices and free amounts: \(PriceProfile.shippedNames.joined(separator: ", ")), or a file.",
            valueName: "name"
        )
    )
    var profile = PriceProfile.spark2023.name
    @Option(help: "Break the sums down, too: by object, user, hour or operation.")
    var by: LogGrouping.Property?
    @Option(help: "The form of the report: table or json.")
    var format = Form.table

    @Flag(help: "Write the totals of a part of a log, which 'firemeter audit merge' puts together with the others.")
    var partial = false
    @Option(
        help: ArgumentHelp(
            "With --partial: note in this file which requests were counted, so that 'firemeter audit duplicates' finds those "
                + "that other parts have, too.",
            valueName: "file"
        )
    )
    var ids: String?

    func validate() throws {
        guard partial || ids == nil else { throw ValidationError("--ids goes with --partial.") }
    }

    func run() async throws {
        try await exitingWithCode {
            let profile = try PriceProfile(named: profile)
            var totals = LogTotals(by: by)
            if let ids { try totals.noteIDs(in: ids) }
            try reading.read(into: &totals, take: { $0.take($1) })
            try totals.finish()
            Terminal.endProgress()
            guard !partial else { return try Terminal.say(try TotalsPart(totals, of: reading.logs).json()) }
            let report = TotalsReport(reading.logs, totals: totals, profile: profile)
            try Terminal.say(format == .json ? report.json() : report.table)
        }
    }
}

extension LogGrouping.Property: ExpressibleByArgument {}
