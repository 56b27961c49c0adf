// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import Basics

/// A link to the program that is named `emulator`: a local Firebase that meters every byte.
package struct EmulatorCommand: AsyncParsableCommand {
    /// The commands, which `firemeter` has itself, too.
    package static let commands: [any ParsableCommand.Type] = [Serve.self, Start.self, Exec.self, Rules.self]

    package static let configuration = CommandConfiguration(
        commandName: "emulator",
        abstract: "A local Firebase (Firestore, Cloud Storage) that meters every byte and every billed read.",
        version: ProgramVersion.text,
        subcommands: commands
    )

    package init() {}
}
