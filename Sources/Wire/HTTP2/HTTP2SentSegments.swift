// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DequeModule

/// Bytes handed to the socket, in order, and the streams they belong to.
///
/// Accepted ones are kept for a while: when the connection is reset, the kernel may turn out not to have sent them.
struct HTTP2SentSegments {
    struct Segment: Equatable {
        let streamID: Int32
        var framing: Int64
        var body: Int64
        var byteCount: Int64 { framing + body }
    }

    /// Accepted segments that are kept: about as many as fill the kernel's queue
    /// (``KernelProbe/unsentByteCountMax``) when every one is a small message.
    static let acceptedCountMax = 4_096

    private var segments: Deque<Segment> = []
    private var acceptedCount = 0
    /// Bytes handed over since the connection began.
    private(set) var handedEnd: Int64 = 0
    /// Where the last accepted segment ends.
    private(set) var acceptedEnd: Int64 = 0

    mutating func append(streamID: Int32, framing: Int64, body: Int64) {
        handedEnd += framing + body
        let last = segments.count - 1
        // Within a segment framing goes before body.
        if last >= acceptedCount, segments[last].streamID == streamID, segments[last].body == 0 {
            segments[last].framing += framing
            segments[last].body = body
        } else {
            segments.append(Segment(streamID: streamID, framing: framing, body: body))
        }
    }

    /// Returns the next segment that ends at or before `end`, which has now been accepted.
    mutating func accept(upTo end: Int64) -> Segment? {
        guard acceptedCount < segments.count else { return nil }
        let segment = segments[acceptedCount]
        guard acceptedEnd + segment.byteCount <= end else { return nil }
        acceptedEnd += segment.byteCount
        if acceptedCount == Self.acceptedCountMax {
            segments.removeFirst()
        } else {
            acceptedCount += 1
        }
        return segment
    }

    /// Returns the part of the next segment that was accepted before the connection broke inside it.
    func acceptedPart(upTo end: Int64) -> Segment? {
        guard acceptedCount < segments.count, end > acceptedEnd else { return nil }
        var segment = segments[acceptedCount]
        let accepted = end - acceptedEnd
        segment.framing = min(segment.framing, accepted)
        segment.body = min(segment.body, accepted - segment.framing)
        return segment
    }

    /// Returns what of the last accepted segment lies beyond `end`, and is accepted no more.
    mutating func takeBack(downTo end: Int64) -> Segment? {
        guard acceptedEnd > end, acceptedCount > 0 else { return nil }
        let segment = segments[acceptedCount - 1]
        let lost = min(segment.byteCount, acceptedEnd - end)
        acceptedEnd -= lost
        acceptedCount -= 1
        let body = min(segment.body, lost)
        return Segment(streamID: segment.streamID, framing: lost - body, body: body)
    }
}
