// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
package import NIOCore
package import NIOHPACK
package import NIOHTTP2

/// One stream of an HTTP/2 connection; it stays on the connection's event loop.
package final class WireStream {
    /// The server's reports on the stream to the meter.
    package let exchange: Exchange
    /// The connection that carries the stream.
    package let connection: StreamConnection
    /// The bytes that the streams of the connection hold.
    package let memory: ConnectionMemory
    /// Bytes of answers, other than the last, that the client has not made room for.
    package private(set) var unwrittenByteCount = 0
    /// The client has sent all of its request.
    private(set) var requestEnded = false

    private let streamID: HTTP2StreamID
    private let streams: HTTP2StreamsHandler
    private let meter: HTTP2StreamMeter?
    private var handler: (any WireStreamHandler)?
    /// The bytes read and not yet returned to the client's window.
    private var consumedByteCount = 0
    /// Bytes of the answer's end, held until the client has made room for them, and the stream closes.
    private var lastByteCount = 0
    private var isOpen = true

    init(_ streamID: HTTP2StreamID, exchange: Exchange, meter: HTTP2StreamMeter?, streams: HTTP2StreamsHandler) {
        self.streamID = streamID
        self.exchange = exchange
        self.meter = meter
        self.streams = streams
        connection = streams.connection
        memory = streams.memory
    }

    // MARK: What the service says

    /// Passes the request's head to the meter.
    ///
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - authorization: The `authorization` field.
    ///   - client: How the client names itself.
    ///   - tag: What the client says the request is for.
    ///   - target: The path, with the query.
    /// - Returns: Who calls.
    package func began(
        method: String,
        authorization: String?,
        client: String?,
        tag: String?,
        target: String?
    ) -> Caller {
        let caller = streams.callers.caller(authorization: authorization)
        exchange.identify(
            client: client.map { streams.callers.client(named: $0) },
            caller: caller,
            tag: tag.map(UsageAttribution.cutTag),
            target: target
        )
        meter?.method = method
        return caller
    }

    /// Passes to the meter the status that the record shows: HTTP's, or what HTTP would say of the protocol above.
    package func answered(status: Int) {
        meter?.status = status
    }

    /// Lets the client send as many bytes more.
    package func consumed(_ byteCount: Int) {
        consumedByteCount += byteCount
        guard consumedByteCount >= HTTP2Limits.streamWindowByteCount / 2, !requestEnded else { return }
        write(.windowUpdate(windowSizeIncrement: consumedByteCount))
        consumedByteCount = 0
        flush()
    }

    /// Writes the head of the answer.
    package func write(_ headers: HPACKHeaders) {
        write(.headers(.init(headers: headers)))
    }

    /// Takes memory for a part of the answer's body, which is to be written next.
    package func hold(_ byteCount: Int) throws(BudgetExceeded) {
        try memory.take(byteCount)
    }

    /// Writes a part of the answer's body, for which memory has been taken.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - isWatched: Whether they count in ``unwrittenByteCount``; ``WireStreamHandler/mayWriteAgain()`` signals when that
    ///     has fallen to 32 KiB. The others are the last of the answer.
    package func write(_ data: ByteBuffer, isWatched: Bool) {
        let byteCount = data.readableBytes
        guard isOpen else { return memory.giveBack(byteCount) }
        let payload = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(data)))
        guard isWatched else {
            lastByteCount += byteCount
            return write(payload)
        }
        unwrittenByteCount += byteCount
        let written = connection.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
            memory.giveBack(byteCount)
            let wasMuch = unwrittenByteCount > HTTP2Limits.outboundByteCountLow
            unwrittenByteCount -= byteCount
            if wasMuch, unwrittenByteCount <= HTTP2Limits.outboundByteCountLow { handler?.mayWriteAgain() }
        }
        write(payload, promise: written)
    }

    /// Writes the end of the answer, a head or the fields behind a body; a client that still sends is then asked to stop
    /// (RFC 9113 section 8.1).
    package func writeEnd(_ headers: HPACKHeaders) {
        writeEnd(.headers(.init(headers: headers, endStream: true)))
    }

    /// Writes the end of an answer whose body has been written.
    func writeEnd() {
        writeEnd(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)))
    }

    private func writeEnd(_ payload: HTTP2Frame.FramePayload) {
        // A reset before the end is written would take the answer's last bytes with it.
        guard isOpen, !requestEnded else { return write(payload) }
        let written = connection.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { [self] in
            if !requestEnded { reset(.noError) }
        }
        write(payload, promise: written)
    }

    /// Hands what was written to the kernel, soon.
    package func flush() {
        streams.flush()
    }

    /// Ends the stream at once.
    package func reset(_ code: HTTP2ErrorCode) {
        write(.rstStream(code))
        flush()
    }

    private func write(_ payload: HTTP2Frame.FramePayload, promise: EventLoopPromise<Void>? = nil) {
        guard isOpen else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        streams.write(HTTP2Frame(streamID: streamID, payload: payload), promise: promise)
    }
}

// MARK: What the connection says

extension WireStream {
    func begin(_ handler: any WireStreamHandler) {
        self.handler = handler
    }

    func received(_ headers: HPACKHeaders, endsRequest: Bool) {
        requestEnded = requestEnded || endsRequest
        handler?.received(headers, endsRequest: endsRequest)
    }

    func received(_ data: ByteBuffer, padding: Int, endsRequest: Bool) {
        requestEnded = requestEnded || endsRequest
        consumed(padding)
        handler?.received(data, endsRequest: endsRequest)
    }

    func readCompleted(atOnce: Bool) -> ReadWork { handler?.readCompleted(atOnce: atOnce) ?? .none }

    func serverStops() { handler?.serverStops() }

    func graceEnded() { handler?.graceEnded() }

    func closed() {
        isOpen = false
        memory.giveBack(lastByteCount)
        lastByteCount = 0
        // The handler and the stream know each other.
        let handler = handler
        self.handler = nil
        handler?.closed()
    }
}
