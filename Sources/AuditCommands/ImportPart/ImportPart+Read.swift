// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import LogImport

extension ImportPartCommand {
    /// `firemeter audit import-part read`.
    struct Read: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read a split of the logs: write its requests, and what names it has."
        )

        @OptionGroup var reading: LogOptions
        @Option(help: ArgumentHelp("The requests to write, for 'count' and 'view'.", valueName: "file"))
        var requests: String
        @Option(help: "The split's number in the order of the logs.")
        var number: Int64 = 0

        func run() async throws {
            try await exitingWithCode {
                var log = try SharedLog(requests: requests, split: number)
                try reading.read(into: &log) { (_, path) in
                    throw CommandFailure(
                        exitCode: 64,
                        message: "\(path) is a session log, which 'firemeter audit import' takes by itself"
                    )
                }
                try Terminal.say(try log.finish().json())
            }
        }
    }

    /// `firemeter audit import-part merge`.
    struct MergeParts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "merge",
            abstract: "Add up what steps wrote, in any order."
        )

        @Argument(help: "The files of lines; '-' is standard input.")
        var parts: [String]

        func run() async throws {
            try await exitingWithCode { try Terminal.say(try ImportPartCommand.sum(of: parts).json()) }
        }
    }
}
