// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import Foundation
import LogImport
import SessionLog

extension ImportPartCommand {
    /// `firemeter audit import-part join`.
    struct Join: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the session, of all parts merged and the views of all users."
        )

        @OptionGroup var options: ImportPartOptions
        @Argument(help: "The views, sorted by their bytes (LC_ALL=C sort); '-' is standard input.")
        var views: [String]
        @Option(help: ArgumentHelp("The session to write; there must be no such file.", valueName: "file"))
        var output: String
        @Option(name: .customLong("log"), help: ArgumentHelp("The name of the logs in messages.", valueName: "name"))
        var log = "the logs"

        func validate() throws { try ImportedSession.checkOutput(output) }

        func run() async throws {
            try await exitingWithCode {
                let part = try options.sum()
                guard let session = try options.session(part).session() else {
                    throw ImportedSession.noDownloads(log, part.passedOver)
                }
                try ImportedSession.checkSizes(session.images, of: log)
                try ImportedSession.write(session.header, session.images, to: output) { writer in
                    let count = try KeyedViews.forEach(at: views) { try writer.append($0) }
                    guard count == part.viewCount else {
                        let problem = "there are \(count) views, and the part says \(part.viewCount)"
                        throw CommandFailure(exitCode: 65, message: problem)
                    }
                }
                ImportedSession.note(
                    output,
                    viewCount: part.viewCount,
                    userCount: part.userCount,
                    header: session.header,
                    imageCount: session.images.count,
                    passedOver: part.passedOver
                )
            }
        }
    }
}
