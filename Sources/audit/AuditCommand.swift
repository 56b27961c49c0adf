// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `audit`: what an app's feed costs, and what each refactor would save.
@main
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "What an app's image feed costs, and what each refactor would save.",
        discussion: """
            Exit codes: 0 fine; 64 wrong usage; 65 unreadable data; 69 no emulator, or stopped; 70 client and meter, or \
            live and simulated, disagree; 74 input or output failed; 99 a bound of the budget is not kept.
            """,
        subcommands: [Replay.self, Tune.self, Curve.self, Export.self, Totals.self, Import.self, Record.self]
    )
}
