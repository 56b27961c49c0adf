// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

struct HTTP2SentSegmentsTests {
    typealias Segment = HTTP2SentSegments.Segment

    /// HEADERS and DATA of stream 1, a PING, DATA of stream 3: they end at 30, 47 and 66.
    private static func makeSegments() -> HTTP2SentSegments {
        var segments = HTTP2SentSegments()
        segments.append(streamID: 1, framing: 11, body: 0)
        segments.append(streamID: 1, framing: 9, body: 10)
        segments.append(streamID: 0, framing: 17, body: 0)
        segments.append(streamID: 3, framing: 9, body: 10)
        return segments
    }

    private static func accepted(_ segments: inout HTTP2SentSegments, upTo end: Int64) -> [Segment] {
        var accepted: [Segment] = []
        while let segment = segments.accept(upTo: end) { accepted.append(segment) }
        return accepted
    }

    @Test func `accepts whole segments only`() {
        var segments = Self.makeSegments()
        #expect(segments.handedEnd == 66)
        #expect(Self.accepted(&segments, upTo: 46) == [Segment(streamID: 1, framing: 20, body: 10)])
        #expect(segments.acceptedEnd == 30)
        #expect(Self.accepted(&segments, upTo: 66).map(\.streamID) == [0, 3])
    }

    @Test(arguments: [(30, 0, 0), (35, 5, 0), (47, 17, 0)] as [(Int64, Int64, Int64)])
    func `tells the part that was accepted before the end`(end: Int64, framing: Int64, body: Int64) {
        var segments = Self.makeSegments()
        _ = Self.accepted(&segments, upTo: 30)
        let part = segments.acceptedPart(upTo: end)
        #expect(part?.framing ?? 0 == framing)
        #expect(part?.body ?? 0 == body)
    }

    @Test func `takes framing to go before body`() {
        var segments = Self.makeSegments()
        #expect(segments.acceptedPart(upTo: 25) == Segment(streamID: 1, framing: 20, body: 5))
        _ = Self.accepted(&segments, upTo: 66)
        #expect(segments.takeBack(downTo: 60) == Segment(streamID: 3, framing: 0, body: 6))
        #expect(segments.takeBack(downTo: 60) == nil)
    }

    @Test func `takes back what was accepted but never left`() {
        var segments = Self.makeSegments()
        _ = Self.accepted(&segments, upTo: 66)
        var lost: [Segment] = []
        while let segment = segments.takeBack(downTo: 25) { lost.append(segment) }
        #expect(
            lost == [
                Segment(streamID: 3, framing: 9, body: 10), Segment(streamID: 0, framing: 17, body: 0),
                Segment(streamID: 1, framing: 0, body: 5),
            ]
        )
    }

    @Test func `forgets what was accepted long ago`() {
        var segments = HTTP2SentSegments()
        let count = HTTP2SentSegments.acceptedCountMax + 100
        for number in 0..<count {
            segments.append(streamID: Int32(number), framing: 9, body: 1)
            #expect(segments.accept(upTo: segments.handedEnd) != nil)
        }
        var keptCount = 0
        while segments.takeBack(downTo: 0) != nil { keptCount += 1 }
        #expect(keptCount == HTTP2SentSegments.acceptedCountMax)
    }
}
