// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Basics
import Foundation

/// `emulator`: a local Firebase that meters every byte.
@main
struct EmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulator",
        abstract: "A local Firebase (Firestore, Cloud Storage) that meters every byte and every billed read.",
        subcommands: [Serve.self, Start.self, Exec.self, Rules.self]
    )

    /// Names the command that was meant where the first word is none.
    static func main() async {
        let names = CommandNames(of: "emulator", configuration.subcommands.map { $0._commandName })
        if let problem = names.problem(of: CommandLine.arguments.dropFirst()) {
            try? FileHandle.standardError.write(contentsOf: Data((problem + "\n").utf8))
            exit(withError: ExitCode(64))
        }
        await main(nil)
    }
}
