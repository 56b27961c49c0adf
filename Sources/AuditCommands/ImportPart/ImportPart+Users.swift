// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import Foundation
import LogImport

extension ImportPartCommand {
    /// `firemeter audit import-part count`.
    struct Count: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Count the requests of some users, when the names of all splits are merged."
        )

        @Argument(help: "The requests of these users, in the order of the splits; '-' is standard input.")
        var requests: [String]
        @OptionGroup var options: ImportPartOptions

        func run() async throws {
            try await exitingWithCode {
                try Terminal.say(try options.session(options.sum()).counts(of: requests).json())
            }
        }
    }

    /// `firemeter audit import-part view`.
    struct View: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Infer the views of some users, when the requests of all are counted."
        )

        @Argument(help: "The requests of these users, in the order of the splits; '-' is standard input.")
        var requests: [String]
        @OptionGroup var options: ImportPartOptions
        @Option(help: ArgumentHelp("The views to write, behind keys that sort them, for 'join'.", valueName: "file"))
        var views: String

        func run() async throws {
            try await exitingWithCode {
                let session = try options.session(options.sum())
                guard
                    FileManager.default.createFile(
                        atPath: views,
                        contents: nil,
                        attributes: [.posixPermissions: 0o600]
                    ),
                    let file = FileHandle(forWritingAtPath: views)
                else { throw CommandFailure(exitCode: 74, message: "cannot write \(views)") }
                let part = try session.views(of: requests) { try file.write(contentsOf: $0) }
                try file.close()
                try Terminal.say(try part.json())
            }
        }
    }
}
