// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import Testing

@testable import LocalFirebase

@Suite struct `The line that is rewritten` {
    private static let erasing = "\r\u{1B}[K"
    private let text = NIOLockedValueBox("")
    private let time = NIOLockedValueBox(ContinuousClock.now)

    private func line(isTerminal: Bool) -> StatusLine {
        StatusLine(
            isTerminal: isTerminal,
            now: { [time] in time.withLockedValue { $0 } },
            write: { [text] piece in text.withLockedValue { $0 += piece } }
        )
    }

    private func wait(_ duration: Duration) { time.withLockedValue { $0 += duration } }

    private var written: String { text.withLockedValue { $0.replacing(Self.erasing, with: "<") } }

    @Test func `shows news four times a second at most, and goes when the work is done`() {
        let line = line(isTerminal: true)
        for number in 1...7 {
            line.report("at \(number)", lineEach: .seconds(10))
            wait(.milliseconds(100))
        }
        line.clear()
        line.add("done")
        #expect(written == "<at 1<at 4<at 7<done\n")
    }

    @Test func `makes way for other lines, and comes back`() {
        let line = line(isTerminal: true)
        line.show("shown")
        line.add("a warning")
        line.add("another")
        line.show("shown again")
        line.settle()
        line.settle()
        #expect(written == "<shown<a warning\nanother\n<shown again\n")
    }

    @Test func `is a line each ten seconds where there is no terminal`() {
        let line = line(isTerminal: false)
        for number in 0...21 {
            line.report("at \(number)", lineEach: .seconds(10), label: "audit: ")
            wait(.seconds(1))
        }
        line.clear()
        line.report("at 23", lineEach: .seconds(10))
        line.show("never")
        line.add("done")
        #expect(written == "audit: at 10\naudit: at 20\ndone\n")
    }

    @Test(arguments: [
        (Duration.zero, "0 ms"), (.milliseconds(999), "999 ms"), (.milliseconds(8_249), "8.2 s"),
        (.seconds(75), "75.0 s"),
    ])
    func `durations are rounded`(duration: Duration, text: String) { #expect(duration.rounded == text) }
}
