// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import Basics
import Foundation
import LocalFirebase
import SessionLog

/// Results go to standard output; notes and, on a terminal only, progress go to standard error.
enum Terminal {
    private static let status = StatusLine.standardError

    /// Writes a result as far as its reader takes it: one that has gone, as `head` does, is not a failure.
    ///
    /// - Throws: `CommandFailure` where it cannot be written, as to a full disk.
    static func say(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                return
            } else if errno != EINTR {
                throw CommandFailure.cannotWrite("standard output", error: POSIXError(.init(rawValue: errno) ?? .EIO))
            }
        }
    }

    static func note(_ text: String) { status.add(text) }

    /// Says how many lines of a session log are not whole.
    static func noteCutOffLines(_ count: Int, in log: String) {
        guard count > 0 else { return }
        let lines = Figure.counted(Int64(count), noun: "line")
        note("\(log): passed over \(lines) cut off, as by a crash or a full disk")
    }

    /// Shows a line that the next one replaces.
    static func progress(_ text: String) { status.show(text) }

    /// Removes the line of progress.
    static func endProgress() { status.clear() }

    /// Shows how far the loading of the data set has come.
    @Sendable static func seedProgress(_ progress: SeedProgress) {
        self.progress("seeding: \(progress.loaded.images) of \(progress.imageCountTotal) images")
    }

    /// The pace of the replay that is under way.
    private static let pace = Locked(ReplayPace())

    /// Shows how far a replay has come: on a terminal several times a second at most, elsewhere in a line each minute.
    @Sendable static func replayProgress(_ progress: ReplayProgress) {
        let text = pace.withLock { $0.text(of: progress, at: .now) }
        status.report(text, lineEach: .seconds(60), label: "\(ProgramName.current): ")
    }

    /// Removes the progress of the loading: the report has the rest.
    @Sendable static func seeded(_ outcome: SeedOutcome) { endProgress() }
}
