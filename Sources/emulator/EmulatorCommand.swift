// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `emulator`: a local Firebase that meters every byte.
@main
struct EmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulator",
        abstract: "A local Firebase (Firestore, Cloud Storage) that meters every byte and every billed read.",
        subcommands: [Serve.self]
    )
}
