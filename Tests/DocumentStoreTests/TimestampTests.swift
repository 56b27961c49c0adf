// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct TimestampTests {
    @Test(
        "converts to microseconds and back, rounding down",
        arguments: [
            (Timestamp(seconds: 0), 0), (Timestamp(seconds: -1, nanoseconds: 999_999_999), -1),
            (Timestamp(seconds: 1, nanoseconds: 1_999), 1_000_001),
            (Timestamp(seconds: -62_135_596_800), -62_135_596_800_000_000),
            (Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_000), 253_402_300_799_999_999),
        ] as [(Timestamp, Int64)]
    )
    func converts(time: Timestamp, microseconds: Int64) {
        #expect(time.microseconds == microseconds)
        #expect(Timestamp(microseconds: microseconds) == time.truncatedToMicroseconds)
    }

    @Test func `saturates outside the valid range`() {
        #expect(!Timestamp(seconds: .max).isValid)
        #expect(Timestamp(seconds: .max).microseconds == 253_402_300_799_000_000)
    }
}

struct TimelineTests {
    @Test func `commits advance though the clock stands still`() {
        let timeline = Timeline(clock: { noon }, lastCommit: Timestamp(seconds: 0))
        let first = timeline.beginCommit(after: Timestamp(seconds: 0))
        timeline.endCommits(lastCommit: first)
        let second = timeline.beginCommit(after: first)
        #expect(first == noon)
        #expect(second.microseconds == first.microseconds + 1)
    }

    @Test func `a read during a commit is timed before it`() {
        let timeline = Timeline(clock: { noon }, lastCommit: Timestamp(seconds: 1))
        let commit = timeline.beginCommit(after: Timestamp(seconds: 1))
        #expect(timeline.readTime(seeing: Timestamp(seconds: 1)) == Timestamp(seconds: 1))
        timeline.endCommits(lastCommit: commit)
        #expect(timeline.readTime(seeing: commit) == noon)
        #expect(timeline.readTime(seeing: Timestamp(seconds: 1)) == Timestamp(seconds: 1))
    }

    @Test func `a commit is later than every read before it`() {
        let timeline = Timeline(clock: { noon }, lastCommit: Timestamp(seconds: 1))
        let read = timeline.readTime(seeing: Timestamp(seconds: 1))
        #expect(timeline.beginCommit(after: Timestamp(seconds: 1)) > read)
    }

    @Test func `a commit whose transaction goes on is not seen yet`() {
        let timeline = Timeline(clock: { noon }, lastCommit: Timestamp(seconds: 1))
        let first = timeline.beginCommit(after: Timestamp(seconds: 1))
        let second = timeline.beginCommit(after: first)
        #expect(timeline.lastCommit == Timestamp(seconds: 1))
        #expect(timeline.readTime(seeingNothingAfter: Timestamp(seconds: 1)) == nil)
        timeline.endCommits(lastCommit: second)
        #expect(timeline.lastCommit == second)
    }

    @Test func `a commit that failed does not hold reads back`() {
        let timeline = Timeline(clock: { noon }, lastCommit: Timestamp(seconds: 1))
        _ = timeline.beginCommit(after: Timestamp(seconds: 1))
        timeline.endCommits(lastCommit: nil)
        #expect(timeline.readTime(seeing: Timestamp(seconds: 1)) == noon)
    }
}
