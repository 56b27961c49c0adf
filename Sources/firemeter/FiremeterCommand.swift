// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuditCommands
import Basics
import EmulatorCommands

/// `firemeter`: a local Firebase that meters every byte, and an auditor of what it counted.
struct FiremeterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "firemeter",
        abstract: "A local Firebase that meters every byte, and an auditor of what each refactor would save.",
        discussion: """
            Examples:
              firemeter serve --seed fixtures/feed
              firemeter exec -- npm test
              firemeter audit replay fixtures/session.log
            """,
        version: ProgramVersion.text,
        subcommands: EmulatorCommand.commands + [AuditCommand.self]
    )
}
