// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Basics

/// `audit`: what an app's feed costs, and what each refactor would save.
@main
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "What an app's image feed costs, and what each refactor would save.",
        discussion: """
            Examples:
              audit replay fixtures/session.log               what each refactor saves
              audit replay session.log --output report.html   the same as a page
              audit replay session.log --budget budget.json   fails beyond a budget
              audit tune session.log                          the smallest good cache
              audit totals usage_2026_11_20_*.csv.gz          sums of a bucket's logs
              audit import access.log --output session.log    a session of such logs
              audit record feed.json --output session.log     one of simulated users

            Exit codes: 0 fine; 64 wrong usage; 65 unreadable data; 69 no emulator, or stopped; 70 client and meter, or \
            live and simulated, disagree; 74 input or output failed; 99 a bound of the budget is not kept.
            """,
        subcommands: [
            Replay.self, Merge.self, Tune.self, Curve.self, Export.self, Totals.self, Duplicates.self, Import.self,
            ImportPartCommand.self, Record.self,
        ]
    )

    /// Names the command that was meant where the first word is none.
    static func main() async {
        let names = CommandNames(of: "audit", configuration.subcommands.map { $0._commandName })
        if let problem = names.problem(of: CommandLine.arguments.dropFirst()) {
            Terminal.note(problem)
            exit(withError: ExitCode(64))
        }
        await main(nil)
    }
}
