// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import Testing

@testable import LocalFirebase

@Suite struct `Signals that ask to end` {
    private static let (terminate, interrupt) = (Emulator.terminationSignals[0], Emulator.terminationSignals[1])
    private let heard = NIOLockedValueBox<[String]>([])

    private func signals() -> EndSignals {
        EndSignals(Emulator.terminationSignals) { [heard] signal in
            heard.withLockedValue { $0.append("\(signal.name) \(signal.number) \(signal.isFirst)") }
        }
    }

    @Test func `a second one counts after a tenth of a second`() {
        let signals = signals()
        let start = ContinuousClock.now
        for milliseconds in [0, 50, 99] { signals.hear(Self.interrupt, at: start + .milliseconds(milliseconds)) }
        #expect(heard.withLockedValue { $0 } == ["SIGINT 2 true"])
        signals.hear(Self.terminate, at: start + .milliseconds(100))
        #expect(heard.withLockedValue { $0 } == ["SIGINT 2 true", "SIGTERM 15 false"])
    }

    @Test func `work that ended in spite of a signal is followed by no more`() throws {
        let signals = signals()
        try signals.requireNone()
        signals.hear(Self.interrupt, at: .now)
        let error = #expect(throws: EmulatorError.self) { try signals.requireNone() }
        #expect(error?.code == .stopped)
    }

    @Test func `none counts when everything is saved`() {
        let signals = signals()
        let start = ContinuousClock.now
        signals.hear(Self.interrupt, at: start)
        signals.finish()
        signals.hear(Self.interrupt, at: start + .seconds(1))
        #expect(heard.withLockedValue { $0 } == ["SIGINT 2 true"])
    }
}
