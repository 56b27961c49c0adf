// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import Testing

@Suite(.timeLimit(.minutes(5))) struct VirtualClockTests {
    @Test func `stands still until it is moved`() {
        let clock = VirtualClock(startingAt: 1_000)
        let start = clock.now
        #expect(clock.microseconds() == 1_000)
        clock.advance(by: .milliseconds(5))
        #expect(clock.microseconds() == 6_000)
        #expect(start.duration(to: clock.now) == .milliseconds(5))
        #expect(start < clock.now)
    }

    @Test func `moves instead of waiting, and never back`() async throws {
        let clock = VirtualClock(startingAt: 0)
        let start = clock.now
        try await clock.sleep(for: .seconds(3_600))
        #expect(clock.microseconds() == 3_600_000_000)
        try await clock.sleep(until: start.advanced(by: .seconds(1)), tolerance: nil)
        #expect(clock.microseconds() == 3_600_000_000)
    }

    @Test func `may be moved by many at once`() async {
        let clock = VirtualClock(startingAt: 0)
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { clock.advance(by: .microseconds(1)) } }
        }
        #expect(clock.microseconds() == 100)
    }
}
