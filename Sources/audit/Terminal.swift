// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import Foundation
import LocalFirebase

/// Results go to standard output; notes and, on a terminal only, progress go to standard error.
enum Terminal {
    private static let isInteractive = isatty(STDERR_FILENO) == 1

    static func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    /// Shows a line that the next one replaces.
    static func progress(_ text: String) {
        if isInteractive { FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8)) }
    }

    /// Removes the line of progress.
    static func endProgress() {
        if isInteractive { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }

    /// Shows how far the loading of the data set has come.
    @Sendable static func seedProgress(_ progress: SeedProgress) {
        self.progress("seeding: \(progress.loaded.images) of \(progress.imageCountTotal) images")
    }

    /// Shows how far a replay has come, at most a few hundred times.
    @Sendable static func replayProgress(_ progress: ReplayProgress) {
        guard progress.doneViewCount % max(1, progress.viewCount / 200) == 0 else { return }
        self.progress("\(progress.strategy.name): view \(progress.doneViewCount) of \(progress.viewCount)")
    }

    /// Removes the progress of the loading: the report tells the rest.
    @Sendable static func seeded(_ outcome: SeedOutcome) { endProgress() }
}
