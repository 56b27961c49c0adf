// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import Basics

/// `firemeter audit`, and a link to the program that is named `audit`: a feed, its cost, and savings by refactors.
package struct AuditCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "What an app's image feed costs, and what each refactor would save.",
        discussion: """
            Examples:
              firemeter audit replay fixtures/session.log               each refactor
              firemeter audit replay session.log --output report.html   as a page
              firemeter audit replay session.log --budget budget.json   within bounds?
              firemeter audit tune session.log                          cache sizes
              firemeter audit totals usage_2026_11_20_*.csv.gz          a bucket's logs
              firemeter audit import access.log --output session.log    to a session
              firemeter audit record feed.json --output session.log     simulated users

            Exit codes: 0 fine; 64 wrong usage; 65 unreadable data; 69 no emulator, or stopped; 70 client and meter, or \
            live and simulated, disagree; 74 input or output failed; 99 a bound of the budget is not kept.
            """,
        version: ProgramVersion.text,
        subcommands: [
            Replay.self, Merge.self, Tune.self, Curve.self, Export.self, Totals.self, Duplicates.self, Import.self,
            ImportPartCommand.self, Record.self,
        ]
    )

    package init() {}
}
