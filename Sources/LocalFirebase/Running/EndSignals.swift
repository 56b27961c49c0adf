// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NIOConcurrencyHelpers
package import UnixSignals

/// Hears the signals by which a process is asked to end, beside the services, which end upon the first.
///
/// Of two that come within a tenth of a second the second does not count: keys bounce, and npm passes on a Ctrl-C that the
/// terminal has sent already. Source: firebase-tools 15.28.1, `src/emulator/commandUtils.ts`.
package final class EndSignals: Sendable {
    /// A signal that came.
    package struct Occurrence: Sendable {
        /// Its name, such as `SIGINT`.
        package let name: String
        /// Its number.
        package let number: Int32
        /// Whether there was none before.
        package let isFirst: Bool
    }

    private static let pause = Duration.milliseconds(100)
    private static let queue = DispatchQueue(label: "firemeter.signals")

    private struct State {
        var count = 0
        var last: ContinuousClock.Instant?
        var isOver = false
        var isBegun = false
    }

    private let signals: [UnixSignal]
    private let onSignal: @Sendable (Occurrence) -> Void
    private let state = NIOLockedValueBox(State())

    /// Prepares to hear signals.
    ///
    /// - Parameters:
    ///   - signals: The signals.
    ///   - onSignal: Called for each that counts, one after the other; must not wait, or later ones are not heard.
    package init(_ signals: [UnixSignal], onSignal: @escaping @Sendable (Occurrence) -> Void) {
        (self.signals, self.onSignal) = (signals, onSignal)
    }

    /// Hears signals from now on; the services must do so, too, for these signals end the process no longer.
    func begin() {
        let isFirstCall = state.withLockedValue { state in
            defer { state.isBegun = true }
            return !state.isBegun
        }
        guard isFirstCall else { return }
        for signal in signals {
            let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: Self.queue)
            // The handler keeps the source for as long as the process.
            source.setEventHandler { withExtendedLifetime(source) { self.hear(signal, at: .now) } }
            source.resume()
        }
    }

    func hear(_ signal: UnixSignal, at now: ContinuousClock.Instant) {
        let number: Int? = state.withLockedValue { state in
            guard !state.isOver else { return nil }
            if let last = state.last, now - last < Self.pause { return nil }
            state.last = now
            state.count += 1
            return state.count
        }
        guard let number else { return }
        onSignal(Occurrence(name: signal.description, number: signal.rawValue, isFirst: number == 1))
    }

    /// Throws ``EmulatorError/stopped`` once a signal has come: work that ended all the same is not to be followed by more.
    func requireNone() throws(EmulatorError) {
        guard state.withLockedValue({ $0.count == 0 }) else { throw .stopped }
    }

    /// Hears of nothing more: all that is to be saved is saved, and the end is near.
    func finish() { state.withLockedValue { $0.isOver = true } }
}
