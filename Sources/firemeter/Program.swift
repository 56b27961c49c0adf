// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuditCommands
import Basics
import EmulatorCommands
import Foundation

/// The program, which answers as the command by whose name it is called: links to it are named `emulator` and `audit`.
@main
enum Program {
    private static var command: any AsyncParsableCommand.Type {
        switch ProgramName.current {
        case EmulatorCommand._commandName: EmulatorCommand.self
        case AuditCommand._commandName: AuditCommand.self
        default: FiremeterCommand.self
        }
    }

    static func main() async {
        if let problem = problem(of: CommandLine.arguments.dropFirst(), in: command, named: command._commandName) {
            try? FileHandle.standardError.write(contentsOf: Data((problem + "\n").utf8))
            exit(EX_USAGE)
        }
        await command.main(nil)
    }

    /// Names the command that was meant where a word in its place is none.
    private static func problem(
        of words: ArraySlice<String>,
        in command: any ParsableCommand.Type,
        named name: String
    ) -> String? {
        let commands = command.configuration.subcommands
        guard !commands.isEmpty, let word = words.first else { return nil }
        guard let next = commands.first(where: { $0._commandName == word }) else {
            return CommandNames(of: name, commands.map { $0._commandName }).problem(of: words)
        }
        return problem(of: words.dropFirst(), in: next, named: "\(name) \(word)")
    }
}
