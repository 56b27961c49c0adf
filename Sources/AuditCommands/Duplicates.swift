// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import LogImport

/// `firemeter audit duplicates`.
struct Duplicates: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find requests that the parts of a log have more than once.",
        discussion: """
            Reads what 'firemeter audit totals --partial --ids' noted, and writes what takes the second one back, as \
            a part of totals for 'firemeter audit merge': each request that has an id counts once then, in whichever parts it is. '-' is standard input.

            Example:
              for hour in 00 01; do
                firemeter audit totals usage_$hour.csv --partial --ids $hour.ids >$hour.json
              done
              firemeter audit duplicates 00.ids 01.ids >twice.json
              firemeter audit merge 00.json 01.json twice.json
            """
    )

    @Argument(help: "The files of ids; '-' is standard input.")
    var files: [String]
    @Option(help: "The property by which the totals are broken down: object, user, hour or operation.")
    var by: LogGrouping.Property?

    func run() async throws {
        try await exitingWithCode {
            var duplicates = LogDuplicates(by: by)
            for file in files { try duplicates.take(file) }
            try Terminal.say(try TotalsPart(duplicates.corrections(), of: []).json())
        }
    }
}
