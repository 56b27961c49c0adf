// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOCore

/// The last streams of a connection that have ended and are recorded, some of whose bytes the kernel throws away if the
/// client resets the connection.
struct EndedStreams {
    /// This many are remembered.
    static let countMax = 16

    private struct Stream {
        let streamID: Int32
        let record: UsageRecord
        var lost = TransferredBytes.zero
    }

    private var streams: CircularBuffer<Stream> = []

    mutating func append(_ record: UsageRecord, of streamID: Int32) {
        if streams.count == Self.countMax { streams.removeFirst() }
        streams.append(Stream(streamID: streamID, record: record))
    }

    /// Notes bytes that never left; `false` where the stream is none of these.
    mutating func takeBack(_ lost: HTTP2SentSegments.Segment) -> Bool {
        guard let index = streams.lastIndex(where: { $0.streamID == lost.streamID }) else { return false }
        let bytes = TransferredBytes(header: lost.framing, body: lost.body, wire: lost.byteCount)
        streams[index].lost = streams[index].lost + bytes
        return true
    }

    /// Returns the records of streams that lost bytes, before and after.
    func amendments(cause: AbortCause?) -> [(former: UsageRecord, record: UsageRecord)] {
        streams.filter { $0.lost != .zero }.map { stream in
            var record = stream.record
            record.sent = record.sent + stream.lost * -1
            record.billed.egressBytes = max(0, record.billed.egressBytes - stream.lost.body)
            record.outcome = .aborted
            record.abortCause = cause
            return (stream.record, record)
        }
    }
}
