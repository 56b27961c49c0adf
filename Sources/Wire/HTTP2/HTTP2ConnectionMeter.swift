// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// Counts one HTTP/2 connection, stream by stream.
///
/// It lives on the connection's event loop and is fed next to the socket, where every byte passes:
///
///     socket ──▶ HTTP2Socket ──▶ codec ──▶ streams ──▶ service
///                    │ frames                 │ heads, statuses
///                    └─▶ HTTP2ConnectionMeter ◀┘ ──▶ UsageRecord
///
/// HEADERS, CONTINUATION, DATA, RST_STREAM, PRIORITY and the WINDOW_UPDATE of a stream belong to the stream, while it is
/// open. All other bytes (the preface, SETTINGS, PING, GOAWAY, the connection's WINDOW_UPDATE, and what trails behind a
/// stream's end) belong to the connection, which gets a record of its own when it ends. So every byte read, or accepted
/// by the kernel, ends in exactly one record.
///
/// A stream counts as sent when the kernel has accepted its last byte. If the client then resets the connection, what the
/// kernel throws away is taken back, see ``EndedStreams``; of streams that ended long before, from the connection's record.
final class HTTP2ConnectionMeter: MeteredConnection {
    private let sink: any UsageRecording
    private let service: UsageAttribution.Service
    private let now: @Sendable () -> Int64
    private let unknown: UsageAttribution
    /// Brings the parts of long exchanges here, until the connection ends.
    var parts: (any ExchangePartFiling)?
    private var streams: [Int32: HTTP2StreamMeter] = [:]
    /// The bytes that belong to no stream.
    private let connection: HTTP2StreamMeter
    private var highestStreamID: Int32 = 0
    private var sent = HTTP2SentSegments()
    private(set) var recorded = SocketCount()
    private var ended = EndedStreams()
    /// The stream of the last frame: most frames of a stream come in a row.
    private var latest: HTTP2StreamMeter

    init(sink: any UsageRecording, service: UsageAttribution.Service, now: @escaping @Sendable () -> Int64) {
        self.sink = sink
        self.service = service
        self.now = now
        unknown = Self.attribution(service, operation: "unknown")
        connection = HTTP2StreamMeter(
            streamID: 0,
            exchange: Exchange(attribution: Self.attribution(service, operation: "connection")),
            startMicroseconds: now()
        )
        latest = connection
    }

    private static func attribution(_ service: UsageAttribution.Service, operation: String) -> UsageAttribution {
        UsageAttribution(service: service, operation: "\(service.rawValue).\(operation)")
    }

    /// The stream's count, while the stream is open.
    func stream(_ streamID: Int32) -> HTTP2StreamMeter? {
        if latest.streamID == streamID { return latest }
        guard streamID != connection.streamID else { return connection }
        guard let stream = streams[streamID] else { return nil }
        latest = stream
        return stream
    }

    private func owner(of piece: HTTP2FrameTally.Piece) -> HTTP2StreamMeter {
        switch piece.kind {
        case HTTP2FrameTally.Kind.data, HTTP2FrameTally.Kind.headers, HTTP2FrameTally.Kind.continuation,
            HTTP2FrameTally.Kind.resetStream, HTTP2FrameTally.Kind.windowUpdate, HTTP2FrameTally.Kind.priority:
            stream(piece.streamID) ?? connection
        default:
            connection
        }
    }

    // MARK: Received

    /// Counts bytes that were read.
    func received(_ piece: HTTP2FrameTally.Piece) {
        if piece.kind == HTTP2FrameTally.Kind.headers, piece.beginsFrame, piece.streamID > highestStreamID {
            open(piece.streamID)
        }
        let stream = owner(of: piece)
        stream.countReceived(framing: piece.framing, body: piece.body)
        guard piece.endsFrame, stream !== connection else { return }
        if piece.endsStream { stream.requestEnded = true }
        if piece.kind == HTTP2FrameTally.Kind.resetStream { stream.resetBy(.clientCancelled) }
        fileIfOver(stream)
    }

    /// Counts bytes that were read but belong to no frame.
    func receivedOutsideFrames(_ byteCount: Int64) {
        connection.countReceived(framing: byteCount, body: 0)
    }

    private func open(_ streamID: Int32) {
        highestStreamID = streamID
        let exchange = Exchange(attribution: unknown, streamID: streamID, parts: parts)
        let stream = HTTP2StreamMeter(streamID: streamID, exchange: exchange, startMicroseconds: now())
        streams[streamID] = stream
        latest = stream
    }

    // MARK: Sent

    /// Counts bytes that were handed to the channel.
    func handed(_ piece: HTTP2FrameTally.Piece) {
        let stream = owner(of: piece)
        sent.append(streamID: stream.streamID, framing: piece.framing, body: piece.body)
        stream.handedEnd = sent.handedEnd
        guard piece.endsFrame, stream !== connection else { return }
        if piece.endsStream { stream.responseEnded = true }
        if piece.kind == HTTP2FrameTally.Kind.resetStream { stream.resetBy(.serverCancelled) }
    }

    /// The kernel has accepted all but the last `pendingByteCount` bytes handed over.
    func acceptedAll(butLast pendingByteCount: Int64) {
        let end = sent.handedEnd - pendingByteCount
        while let segment = sent.accept(upTo: end) {
            guard let stream = stream(segment.streamID) else { continue }
            stream.countSent(framing: segment.framing, body: segment.body)
            fileIfOver(stream)
        }
    }

    // MARK: Records

    private func file(_ record: UsageRecord) {
        let (received, sent) = record.wireByteCounts
        recorded.received += received
        recorded.sent += sent
        sink.record(record)
    }

    private func fileIfOver(_ stream: HTTP2StreamMeter) {
        guard stream.isOver, stream.handedEnd <= sent.acceptedEnd, stream !== connection else { return }
        file(stream)
        streams[stream.streamID] = nil
        latest = connection
    }

    /// Files what is left of a stream; `end` is why it ended, unless it was reset.
    private func file(_ stream: HTTP2StreamMeter, end: AbortCause? = nil) {
        let isComplete = stream.responseEnded && stream.handedEnd <= sent.acceptedEnd
        let outcome: UsageRecord.Outcome = stream.method == nil ? .malformed : isComplete ? .complete : .aborted
        let cause = stream.resetCause ?? end
        let record = stream.cut(stream.exchange.settled(), outcome: outcome, abortCause: cause, at: now())
        file(record)
        ended.append(record, of: stream.streamID)
    }

    /// Files what a stream has moved so far, up to the last whole frame that the kernel has accepted.
    func filePart(_ filing: Exchange.Filing, of streamID: Int32) {
        guard let stream = stream(streamID), stream !== connection else {
            // The stream ended meanwhile, and with it its bytes were filed; what is billed comes after them.
            return file(.late(filing, at: now()))
        }
        guard stream.hasBytes || filing.billing != .firestore(.zero) else { return }
        file(stream.cut(filing, outcome: .complete, at: now()))
    }

    // MARK: End

    var isAwaitingDelivery: Bool { !streams.isEmpty }

    func connectionEnded(_ end: ConnectionEnd) {
        parts = nil
        receivedOutsideFrames(end.unreadByteCount)
        settle(end)
        for stream in streams.values.sorted(by: { $0.streamID < $1.streamID }) { file(stream, end: end.cause) }
        streams.removeAll()
        latest = connection
        connection.method = ""
        connection.responseEnded = true
        file(connection.cut(connection.exchange.settled(), outcome: .complete, at: now()).countingNoRequest())
    }

    private func settle(_ connectionEnd: ConnectionEnd) {
        let end = connectionEnd.sentByteCount ?? sent.handedEnd
        acceptedAll(butLast: sent.handedEnd - end)
        if let part = sent.acceptedPart(upTo: end) {
            stream(part.streamID)?.countSent(framing: part.framing, body: part.body)
        }
        while let lost = sent.takeBack(downTo: end) {
            if let stream = stream(lost.streamID) {
                stream.uncountSent(framing: lost.framing, body: lost.body)
            } else if !ended.takeBack(lost) {
                connection.uncountSent(framing: lost.framing, body: lost.body)
            }
        }
        for (former, record) in ended.amendments(cause: connectionEnd.cause) {
            recorded.sent += record.sent.wire - former.sent.wire
            sink.amend(former, to: record)
        }
    }
}
