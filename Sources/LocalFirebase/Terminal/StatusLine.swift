// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOConcurrencyHelpers

/// The last line on standard error, which at a terminal is rewritten in its place while other lines go above it.
package final class StatusLine: Sendable {
    /// The one of this process.
    ///
    /// A reader that has gone, as `head` does, is not a reason to stop.
    package static let standardError = StatusLine(isTerminal: isatty(STDERR_FILENO) == 1) { text in
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    private static let erasing = "\r\u{1B}[K"
    /// How long a text stays at a terminal before news replaces it.
    private static let period = Duration.milliseconds(250)

    private struct State {
        var isShown = false
        /// When news was written last, or first came; `nil` before.
        var lastNews: ContinuousClock.Instant?
    }

    /// Whether lines can be rewritten.
    package let isTerminal: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let write: @Sendable (String) -> Void
    private let state = NIOLockedValueBox(State())

    /// Creates a line that is written by a function.
    init(
        isTerminal: Bool,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        write: @escaping @Sendable (String) -> Void
    ) {
        (self.isTerminal, self.now, self.write) = (isTerminal, now, write)
    }

    /// Shows a text in the place of the one before; only a terminal shows it.
    package func show(_ text: String) {
        guard isTerminal else { return }
        state.withLockedValue { state in
            write(Self.erasing + text)
            state.isShown = true
        }
    }

    /// Shows how far work has come: at a terminal four times a second at most, elsewhere in a line now and then.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - interval: How much time is between two lines, and before the first, where there is no terminal.
    ///   - label: The beginning of such a line.
    package func report(_ text: String, lineEach interval: Duration, label: String = "") {
        state.withLockedValue { state in
            let now = now()
            if isTerminal {
                if let last = state.lastNews, now - last < Self.period { return }
                write(Self.erasing + text)
                state.isShown = true
            } else {
                guard now - (state.lastNews ?? now) >= interval else {
                    state.lastNews = state.lastNews ?? now
                    return
                }
                write(label + text + "\n")
            }
            state.lastNews = now
        }
    }

    /// Removes the text: the work is done.
    package func clear() {
        state.withLockedValue { state in
            if state.isShown { write(Self.erasing) }
            state = State()
        }
    }

    /// Leaves the text where it is.
    package func settle() {
        // Elsewhere nothing is left, and the lock may be held by a line that the reader does not take.
        guard isTerminal else { return }
        state.withLockedValue { state in
            if state.isShown { write("\n") }
            state = State()
        }
    }

    /// Writes a line, above which nothing of the text is left.
    package func add(_ line: String) {
        state.withLockedValue { state in
            write((state.isShown ? Self.erasing : "") + line + "\n")
            state.isShown = false
        }
    }
}
