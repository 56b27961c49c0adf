// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOConcurrencyHelpers

/// The lines that the logging emulator shows: those of the past to each who begins to listen, then each as it comes.
///
/// Source: firebase-tools 15.28.1, `src/emulator/loggingEmulator.ts`.
package final class SuiteLog: Sendable {
    /// Lines that are kept; the official emulator keeps all.
    private static let lineCountMax = 1_000
    /// Of a longer line, its beginning is shown.
    private static let characterCountMax = 10_000

    private struct State {
        var lines: [String] = []
        var listeners: [Int: @Sendable (String) -> Void] = [:]
        var listenerCount = 0
    }

    private let state = NIOLockedValueBox(State())
    private let now: @Sendable () -> Int64

    /// Creates an empty log.
    ///
    /// - Parameter now: Microseconds since 1970.
    package init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - message: Its text.
    ///   - emulator: The name of the service that it is of, such as `auth`; `nil` for one of the suite.
    ///   - level: `info`, `warn`, …
    package func add(_ message: String, of emulator: String? = nil, level: String = "info") {
        let text = JSONText.string(String(message.prefix(Self.characterCountMax)))
        let metadata = emulator.map { name in
            [("metadata", JSONText.object([("emulator", .object([("name", .string(name))])), ("message", text)]))]
        }
        let line = JSONText.object([
            ("level", .string(level)), ("data", .object(metadata ?? [])), ("timestamp", .integer(now() / 1_000)),
            ("message", text),
        ]).rendered(isIndented: false)
        // Under the lock, so that every listener has the lines in their order.
        state.withLockedValue { state in
            if state.lines.count == Self.lineCountMax { state.lines.removeFirst() }
            state.lines.append(line)
            for send in state.listeners.values { send(line) }
        }
    }

    /// Sends all lines that are kept and all that come.
    ///
    /// - Parameter send: Takes a line of JSON; must not wait, nor add lines.
    /// - Returns: Ends that.
    package func listen(_ send: @escaping @Sendable (String) -> Void) -> @Sendable () -> Void {
        let key = state.withLockedValue { state in
            for line in state.lines { send(line) }
            state.listenerCount += 1
            state.listeners[state.listenerCount] = send
            return state.listenerCount
        }
        return { [state] in state.withLockedValue { _ = $0.listeners.removeValue(forKey: key) } }
    }
}
