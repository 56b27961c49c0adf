// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// How long a client that still sends is waited for behind its connection's last answer.
package struct LingeringLimits: Sendable {
    /// A client may send for this long: `lingering_time` of nginx.
    package let time: TimeAmount
    /// A client that sends nothing for this long is waited for no more: `lingering_timeout` of nginx.
    package let quietTime: TimeAmount
    /// Bytes that are read and dropped.
    package let byteCount: Int

    /// Creates limits, by default those of nginx.
    package init(time: TimeAmount = .seconds(30), quietTime: TimeAmount = .seconds(5), byteCount: Int = 1 << 30) {
        self.time = time
        self.quietTime = quietTime
        self.byteCount = byteCount
    }
}

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

    /// So long the socket is looked at once more before a client counts as late.
    private static let lastLook = TimeAmount.milliseconds(10)

    private let limits: LingeringLimits
    private let input: ConnectionInput
    private let meter: ConnectionMeter?
    private var isLingering = false
    private var byteCount = 0
    private var end = NIODeadline.distantFuture
    private var lastRead = NIODeadline.distantPast
    private var timer: Scheduled<Void>?

    init(input: ConnectionInput, meter: ConnectionMeter?, limits: LingeringLimits) {
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
        lastRead = context.eventLoop.now
        end = lastRead + limits.time
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
        lastRead = context.eventLoop.now
        if timer == nil { watch(context) }
        // The handlers behind this one no longer ask for more.
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isLingering, event as? ChannelEvent == .inputClosed { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private var due: NIODeadline { min(end, lastRead + limits.quietTime) }

    private func watch(_ context: ChannelHandlerContext) {
        schedule(at: due, in: context) { [self] in
            // An event loop that was held up runs what is due before it reads what has come meanwhile.
            schedule(at: context.eventLoop.now + Self.lastLook, in: context) { context.close(promise: nil) }
        }
    }

    private func schedule(at moment: NIODeadline, in context: ChannelHandlerContext, whenLate: @escaping () -> Void) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: moment) { [self] in
            if context.eventLoop.now >= due { whenLate() } else { watch(context) }
        }
    }
}
