// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Reads on behind a connection's last answer, so that a client that still sends gets to read that answer.
///
/// Without this, a client that sends all of a refused body before it reads waits forever, as nothing empties the socket;
/// and a socket that is closed with bytes unread is reset, upon which the client's kernel drops the answer, too. So the
/// server closes its sending side alone, and drops what still comes (RFC 9112 section 9.6), up to limits.
final class LingeringCloseHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// How long a client is waited for.
    struct Limits: Sendable {
        /// A client may send for this long: `lingering_time` of nginx.
        var time = TimeAmount.seconds(30)
        /// A client that sends nothing for this long is waited for no more: `lingering_timeout` of nginx.
        var quietTime = TimeAmount.seconds(5)
        /// Bytes that are read and dropped.
        var byteCount = 1 << 30
    }

    private let limits: Limits
    private let input: ConnectionInput
    private let meter: ConnectionMeter?
    private var isLingering = false
    private var byteCount = 0
    private var end = NIODeadline.distantFuture
    private var lastRead = NIODeadline.distantPast
    private var timer: Scheduled<Void>?

    init(input: ConnectionInput, meter: ConnectionMeter?, limits: Limits = Limits()) {
        self.limits = limits
        self.input = input
        self.meter = meter
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.close(mode: mode, promise: promise)
        guard mode == .output, !isLingering, context.channel.isActive else { return }
        isLingering = true
        let now = NIODeadline.now()
        end = now + limits.time
        lastRead = now
        // A client that has sent everything is only waited for: it may be reading a large answer.
        if input.isReadingRequest || input.isBroken { watch(context) }
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isLingering else { return context.fireChannelRead(data) }
        let dropped = unwrapInboundIn(data).readableBytes
        byteCount += dropped
        if input.isReadingRequest { meter?.requestBody(input.framer.bodyByteCount) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard isLingering else { return context.fireChannelReadComplete() }
        guard byteCount <= limits.byteCount else { return context.close(promise: nil) }
        lastRead = .now()
        if timer == nil { watch(context) }
        // The handlers behind this one no longer ask for more.
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isLingering, event as? ChannelEvent == .inputClosed { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private func watch(_ context: ChannelHandlerContext) {
        let due = min(end, lastRead + limits.quietTime)
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { [self] in
            if .now() >= min(end, lastRead + limits.quietTime) {
                context.close(promise: nil)
            } else {
                watch(context)
            }
        }
    }
}
