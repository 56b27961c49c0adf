// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A session that is written whole or not at all: half of one is none.
enum WholeSession {
    /// Writes a session under another name in the same directory, and gives it its own when it is complete.
    static func write(to output: String, _ body: (String) throws -> Void) throws {
        let part = output + ".part"
        // An earlier try may have left one when it was killed.
        try? FileManager.default.removeItem(atPath: part)
        do {
            try body(part)
            guard rename(part, output) == 0 else {
                let reason = String(cString: strerror(errno))
                throw CommandFailure(exitCode: 74, message: "cannot write \(output): \(reason)")
            }
        } catch {
            try? FileManager.default.removeItem(atPath: part)
            throw error
        }
    }
}
