// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP2

/// Opens and ends an HTTP/2 connection behind the codec.
///
/// It ends it when it was idle for ``HTTP2Limits/idleTimeout``, when the client is gone or broke the protocol, and when
/// the server shuts down. Then it says GOAWAY twice: first without naming a stream, then, when the client is known to
/// have heard (it answers a ping), naming the last stream that is served (RFC 9113 section 6.8). Streams in flight get
/// ``HTTP2Limits/shutdownGrace``.
final class HTTP2ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private enum State {
        case open
        /// GOAWAY has been said, and the client is asked whether it heard.
        case announced
        /// The client has heard; the connection ends with its last stream.
        case leaving
        case closed
    }

    private static let farewellPing = HTTP2PingData(withInteger: 0x6669_7265_6D65_7465)

    private let socket: HTTP2SocketHandler
    private let streams: HTTP2StreamsHandler
    private var state = State.open
    private var ownGoAwayCount = 0
    private var context: ChannelHandlerContext?
    private var idleTimer: Scheduled<Void>?
    private var closingTimers: [Scheduled<Void>] = []

    init(socket: HTTP2SocketHandler, streams: HTTP2StreamsHandler) {
        self.socket = socket
        self.streams = streams
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        streams.onIdle = { [self] in lastStreamEnded() }
        watchIdleness(context, in: HTTP2Limits.idleTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        streams.onIdle = {}
        cancelTimers()
    }

    func channelInactive(context: ChannelHandlerContext) {
        state = .closed
        cancelTimers()
        context.fireChannelInactive()
    }

    private func lastStreamEnded() {
        // The stream's last frame is written, but perhaps not yet flushed.
        if case .leaving = state, let context { closeSoon(context) }
    }

    // MARK: Events

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .ping(Self.farewellPing, ack: true) = unwrapInboundIn(data).payload { leave(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: announceEnd(context)
        // Who can send no more can hardly be answered, and its streams are half at best.
        case ChannelEvent.inputClosed: close(context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The codec reports what ends a stream too; for what ends the connection it has said GOAWAY.
        if socket.goAwayCount > ownGoAwayCount || !(error is any NIOHTTP2Error || error is NIOHTTP2Errors.StreamError) {
            close(context)
        }
    }

    // MARK: Ending

    private func announceEnd(_ context: ChannelHandlerContext) {
        guard case .open = state else { return }
        state = .announced
        sayGoAway(context, lastStreamID: .maxID)
        let ping = HTTP2Frame(streamID: .rootStream, payload: .ping(Self.farewellPing, ack: false))
        context.writeAndFlush(wrapOutboundOut(ping), promise: nil)
        after(HTTP2Limits.closingTimeout, in: context) { $0.leave($1) }
        after(HTTP2Limits.shutdownGrace, in: context) { $0.endStreams($1) }
    }

    private func leave(_ context: ChannelHandlerContext) {
        guard case .announced = state else { return }
        state = .leaving
        sayGoAway(context, lastStreamID: streams.lastStreamID)
        context.flush()
        if streams.isIdle { closeSoon(context) }
    }

    private func endStreams(_ context: ChannelHandlerContext) {
        streams.endGrace()
        after(HTTP2Limits.closingTimeout, in: context) { $0.close($1) }
    }

    private func sayGoAway(_ context: ChannelHandlerContext, lastStreamID: HTTP2StreamID) {
        ownGoAwayCount += 1
        let payload = HTTP2Frame.FramePayload.goAway(lastStreamID: lastStreamID, errorCode: .noError, opaqueData: nil)
        context.write(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
    }

    private func closeSoon(_ context: ChannelHandlerContext) {
        after(.zero, in: context) { $0.closeWhenWritten($1) }
    }

    /// Closes behind what has been written, which a slow client may take a while to read.
    private func closeWhenWritten(_ context: ChannelHandlerContext) {
        socket.whenWritten { [self] in close(context) }
        after(HTTP2Limits.closingTimeout, in: context) { $0.close($1) }
    }

    private func close(_ context: ChannelHandlerContext) {
        if case .closed = state { return }
        state = .closed
        context.close(promise: nil)
    }

    // MARK: Time

    private func watchIdleness(_ context: ChannelHandlerContext, in time: TimeAmount) {
        idleTimer = schedule(in: time, context: context) { handler, context in
            let idleEnd = handler.streams.idleSince + HTTP2Limits.idleTimeout
            if handler.streams.isIdle, idleEnd <= .now() {
                handler.announceEnd(context)
            } else {
                let wait = handler.streams.isIdle ? idleEnd - .now() : HTTP2Limits.idleTimeout
                handler.watchIdleness(context, in: wait)
            }
        }
    }

    private func after(
        _ time: TimeAmount,
        in context: ChannelHandlerContext,
        _ body: @escaping (HTTP2ConnectionHandler, ChannelHandlerContext) -> Void
    ) {
        closingTimers.append(schedule(in: time, context: context, body))
    }

    private func schedule(
        in time: TimeAmount,
        context: ChannelHandlerContext,
        _ body: @escaping (HTTP2ConnectionHandler, ChannelHandlerContext) -> Void
    ) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            if case .closed = state { return }
            body(self, context)
        }
    }

    private func cancelTimers() {
        idleTimer?.cancel()
        for timer in closingTimers { timer.cancel() }
        closingTimers = []
    }
}
