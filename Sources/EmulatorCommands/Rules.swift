// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `firemeter rules`: Security Rules without a server.
struct Rules: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check files of Security Rules.",
        subcommands: [RulesCheck.self]
    )
}
