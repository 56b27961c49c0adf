// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Sits next to the socket of an HTTP/2 connection: counts what passes, and gathers small writes into one.
///
/// The codec writes each frame by itself; a call's answer is three or four of them. They are copied together until the
/// flush, so that the kernel is called once with one run of bytes.
final class HTTP2SocketHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// A larger write is passed on as it is.
    static let copiedByteCountMax = 8 << 10
    /// As much is gathered at most.
    static let gatheredByteCountMax = 64 << 10

    private let meter: HTTP2ConnectionMeter?
    private let ending: ConnectionEnding?
    private var inbound = HTTP2FrameTally(expectsPreface: true)
    private var earlySettings = EarlySettings()
    private var outbound = HTTP2FrameTally(expectsPreface: false)
    private var gathered = ByteBuffer()
    private var gatheredPromise: EventLoopPromise<Void>?
    private var context: ChannelHandlerContext?
    private var options: (any NIOSynchronousChannelOptions)?
    private var isAwaitingAcceptance = false
    /// Whether the client's preface has passed.
    private var hasRead = false
    private var isFlushAwaited = false
    /// GOAWAY frames sent; one without a cause shows that the codec has given up the connection.
    private(set) var goAwayCount = 0

    init(meter: HTTP2ConnectionMeter?, deliveries: DeliveryWatch, audit: KernelAudit) {
        self.meter = meter
        ending = meter.map { ConnectionEnding(meter: $0, deliveries: deliveries, audit: audit) }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        options = context.channel.syncOptions
        if context.channel.isActive { ending?.began(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        options = nil
        gatheredPromise?.fail(ChannelError.ioOnClosedChannel)
        gatheredPromise = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        ending?.began(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        if let meter {
            buffer.withUnsafeReadableBytes { bytes in inbound.consume(bytes) { meter.received($0) } }
        }
        hasRead = true
        let passed = earlySettings.passed(buffer)
        if passed.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(passed)) }
        if isFlushAwaited { flush(context: context) }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        ending?.closing()
        context.close(mode: mode, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        context.fireChannelInactive()
        // A frame's head that was cut off.
        meter?.receivedOutsideFrames(inbound.heldByteCount)
        ending?.ended(on: context.eventLoop)
    }

    // MARK: Writing

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .byteBuffer(var buffer) = unwrapOutboundIn(data) else {
            preconditionFailure("HTTP/2 frames are written as buffers")
        }
        count(buffer)
        if buffer.readableBytes > Self.copiedByteCountMax {
            passOn(context)
            context.write(data, promise: promise)
        } else {
            gathered.writeBuffer(&buffer)
            gatheredPromise.setOrCascade(to: promise)
            if gathered.readableBytes > Self.gatheredByteCountMax { passOn(context) }
        }
    }

    private func count(_ buffer: ByteBuffer) {
        buffer.withUnsafeReadableBytes { bytes in
            outbound.consume(bytes) { piece in
                if piece.kind == HTTP2FrameTally.Kind.goAway, piece.beginsFrame { goAwayCount += 1 }
                meter?.handed(piece)
            }
        }
    }

    private func passOn(_ context: ChannelHandlerContext) {
        guard gathered.readableBytes > 0 else { return }
        let promise = gatheredPromise
        gatheredPromise = nil
        context.write(wrapOutboundOut(.byteBuffer(gathered)), promise: promise)
        gathered.clear()
    }

    func flush(context: ChannelHandlerContext) {
        // The codec flushes its SETTINGS when it is added, before the first bytes, which were held until their protocol was
        // known, are passed to it. Where the client is gone already that fails, and the channel drains the socket and closes:
        // later bytes would overtake the first, which would come after the end and be counted nowhere.
        guard hasRead else {
            isFlushAwaited = true
            return
        }
        isFlushAwaited = false
        passOn(context)
        context.flush()
        noteAcceptance(context)
    }

    /// Calls back when the kernel has accepted all that was written, or the connection has broken.
    func whenWritten(_ body: @escaping () -> Void) {
        guard let context else { return body() }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in body() }
        passOn(context)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: written)
    }

    /// Reports to the meter what the kernel has accepted: all but what the channel still holds.
    private func noteAcceptance(_ context: ChannelHandlerContext) {
        guard let meter, context.channel.isActive,
            let pending = try? options?.getOption(.bufferedWritableBytes)
        else { return }
        meter.acceptedAll(butLast: Int64(pending + gathered.readableBytes))
        guard pending > 0, !isAwaitingAcceptance else { return }
        isAwaitingAcceptance = true
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { [self] in
            isAwaitingAcceptance = false
            noteAcceptance(context)
        }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: written)
    }
}
