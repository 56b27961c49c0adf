// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Metering
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The named limits of an HTTP/2 connection.
enum HTTP2Limits {
    /// Streams open at once: every listener of an app is one, so thousands are usual.
    static let concurrentStreamCountMax = 32_768
    /// The bytes that a client may send on a stream before the server has read them.
    static let streamWindowByteCount = 1 << 20
    /// The bytes that a client may send on all streams before the connection has read them.
    static let connectionWindowByteCount = 4 << 20
    /// The connection's window before the server has said anything (RFC 9113 section 6.9.2).
    static let windowByteCountAtFirst = 65_535
    /// The largest frame that is taken.
    static let frameByteCountMax = 64 << 10
    /// Header fields of a request, uncompressed.
    ///
    /// More ends the whole connection, so it is well above what services refuse by themselves.
    static let headerListByteCountMax = 64 << 10
    /// A stream with no more than this waiting for its client's window may write again.
    static let outboundByteCountLow = 32 << 10
    /// PING, SETTINGS and PRIORITY frames in ``controlFrameWindow``.
    ///
    /// Go's gRPC client measures the bandwidth with a ping for every few messages, thousands a second on a loopback.
    static let controlFrameCountMax = 20_000
    static let controlFrameWindow = TimeAmount.seconds(1)
    /// RST_STREAM frames in ``resetWindow``; a client that ends resets all its listeners at once.
    static let resetCountMax = 2 * concurrentStreamCountMax
    static let resetWindow = TimeAmount.seconds(10)
    /// Streams that the client broke the rules on, in ``resetWindow``, and over the connection's life.
    static let streamErrorCountMax = 1_000
    /// Streams reset by the server whose late frames are forgiven.
    static let rememberedResetCount = 1_024
    /// A connection without a stream for this long is closed, as an HTTP/1.1 connection without a request is.
    static let idleTimeout = TimeAmount(MeteredHTTP1Channel.idleTimeout)
    /// How long streams may continue when the server shuts down.
    static let shutdownGrace = TimeAmount.seconds(5)
    /// How long a client may take to answer, or to read what is left, at the end of a connection.
    static let closingTimeout = TimeAmount.seconds(1)

    static var connectionConfiguration: NIOHTTP2Handler.ConnectionConfiguration {
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: concurrentStreamCountMax),
            HTTP2Setting(parameter: .initialWindowSize, value: streamWindowByteCount),
            HTTP2Setting(parameter: .maxFrameSize, value: frameByteCountMax),
            HTTP2Setting(parameter: .maxHeaderListSize, value: headerListByteCountMax),
        ]
        // It costs a tenth of a small call; what services read of a head they check themselves.
        configuration.headerBlockValidation = .disabled
        // Messages contain their lengths.
        configuration.contentLengthValidation = .disabled
        configuration.maximumRecentlyResetStreams = rememberedResetCount
        configuration.maximumConnectionGlitches = streamErrorCountMax
        configuration.controlFrameRateLimit.maximumCount = controlFrameCountMax
        configuration.controlFrameRateLimit.windowLength = controlFrameWindow
        return configuration
    }

    static var streamConfiguration: NIOHTTP2Handler.StreamConfiguration {
        var configuration = NIOHTTP2Handler.StreamConfiguration()
        configuration.streamResetFrameRateLimit.maximumCount = resetCountMax
        configuration.streamResetFrameRateLimit.windowLength = resetWindow
        configuration.streamErrorRateLimit.maximumCount = streamErrorCountMax
        configuration.streamErrorRateLimit.windowLength = resetWindow
        return configuration
    }
}

/// The HTTP/2 connection preface (RFC 9113 section 3.4).
enum HTTPPreface {
    static let bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// The protocol that the first bytes of a connection speak.
    enum Verdict: Equatable {
        case http1
        case http2
        /// The bytes so far could become either.
        case undecided
    }

    /// Judges the bytes that a connection began with.
    static func verdict(on start: some Collection<UInt8>) -> Verdict {
        let isPreface = zip(start, bytes).allSatisfy { $0 == $1 }
        guard isPreface else { return .http1 }
        return start.count >= bytes.count ? .http2 : .undecided
    }
}

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

    private var streams: Deque<Stream> = []

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
