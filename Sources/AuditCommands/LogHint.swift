// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LogImport

/// Says what a file is where a session log is expected, and what to do with it.
enum LogHint {
    /// Refuses logs that other commands take; anything else is for the reader of session logs to judge.
    static func checkSessionLog(_ path: String, named name: String) throws {
        guard let format = LogFormat.recognized(in: path), format != .session else { return }
        throw CommandFailure(
            exitCode: 65,
            message: """
                \(name) is \(format.description); make a session of it first:
                  firemeter audit import \(name) --output session.log
                """
        )
    }
}
