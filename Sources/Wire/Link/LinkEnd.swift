// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// One of the two ends of a relay: what comes in here leaves at the other, later and slower.
///
/// Both are on one event loop. No more is read before a piece has passed, so that the sender feels the link's speed.
final class LinkEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Ending: Int {
        /// The sender sends no more, and may still receive.
        case input
        /// The connection is closed.
        case all
        /// The connection broke off.
        case reset
    }

    /// As much is on its way at most, about a window of TCP; the sender waits then.
    private static let delayedByteCountMax = 4 << 20

    private let link: NetworkLink
    private let direction: NetworkLink.Direction
    private var context: ChannelHandlerContext?
    private var other: LinkEnd?
    /// Was read, and has not been given to the link.
    private var held = ByteBuffer()
    /// Passes the link.
    private var isPassing = false
    /// Has passed and is delayed, the first to arrive first.
    private var delayed = CircularBuffer<ByteBuffer>()
    private var delayedByteCount = 0
    /// The server stops: nothing more is awaited from the client.
    private var isQuiescing = false
    private var ending: Ending?
    /// The other side has been given it.
    private var passedEnding: Ending?
    /// When the connection's first bytes may pass at the earliest.
    private var begin: NIODeadline

    /// Creates an end.
    ///
    /// - Parameters:
    ///   - link: The link between the two ends.
    ///   - direction: Where what comes in here goes.
    ///   - setUp: How long it takes before the first bytes may pass.
    init(_ link: NetworkLink, _ direction: NetworkLink.Direction, setUp: TimeAmount = .zero) {
        (self.link, self.direction) = (link, direction)
        begin = .now() + setUp
    }

    /// Joins the two ends, and begins to read at both.
    static func join(_ first: LinkEnd, _ second: LinkEnd) {
        (first.other, second.other) = (second, first)
        for end in [first, second] { end.proceed() }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        // It may have been joined before.
        proceed()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        held.writeBuffer(&buffer)
    }

    func channelReadComplete(context: ChannelHandlerContext) { proceed() }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { other?.proceed() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: end(.input)
        case is ChannelShouldQuiesceEvent:
            isQuiescing = true
            if other?.passedEnding == .input { receive(.all) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.reset)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.all)
        context.fireChannelInactive()
    }

    private func end(_ ending: Ending) {
        if let known = self.ending, known.rawValue >= ending.rawValue { return }
        self.ending = ending
        if ending == .reset { finish() } else { proceed() }
    }

    /// Gives the link the next piece, or reads on, or passes on that there is no more.
    private func proceed() {
        guard let other, !isPassing, delayedByteCount < Self.delayedByteCountMax else { return }
        if ending == .reset { return finish() }
        guard other.context?.channel.isWritable == true || ending != nil else { return }
        guard held.readableBytes > 0 else {
            if ending != nil { finish() } else if let context, context.channel.isActive { context.read() }
            return
        }
        // A copy: a slice would keep all that was read with it.
        let passing = ByteBuffer(bytes: held.readableBytesView.prefix(link.pieceByteCount(direction)))
        held.moveReaderIndex(forwardBy: passing.readableBytes)
        held.discardReadBytes()
        let passed = max(link.pass(passing.readableBytes, direction, now: .now()), begin)
        isPassing = true
        schedule(passed) { [self] in
            isPassing = false
            delayed.append(passing)
            delayedByteCount += passing.readableBytes
            schedule(.now() + link.delay) { [self] in arrive() }
            proceed()
        }
    }

    private func arrive() {
        if let piece = delayed.popFirst() {
            delayedByteCount -= piece.readableBytes
            other?.receive(piece)
        }
        proceed()
    }

    /// Ends the other side once all has arrived.
    private func finish() {
        guard let other, let ending, ending != passedEnding, delayed.isEmpty || ending == .reset else { return }
        passedEnding = ending
        other.receive(ending)
        if ending != .input { self.other = nil }
    }

    private func schedule(_ time: NIODeadline, _ action: @escaping () -> Void) {
        guard let eventLoop = context?.eventLoop ?? other?.context?.eventLoop else { return }
        // Loops sleep at least a moment.
        guard time > .now() else { return action() }
        eventLoop.assumeIsolated().scheduleTask(deadline: time, action)
    }

    // MARK: The other side

    private func receive(_ piece: ByteBuffer) {
        context?.writeAndFlush(wrapOutboundOut(piece), promise: nil)
    }

    private func receive(_ ending: Ending) {
        guard let channel = context?.channel else { return }
        if ending == .reset {
            _ = AnswerBreak.resetting(channel)
            return
        }
        let mode: CloseMode = ending == .input && !isQuiescing ? .output : .all
        // A close throws away what is still queued above the kernel.
        channel.writeAndFlush(ByteBuffer()).whenComplete { _ in
            channel.close(mode: mode, promise: nil)
        }
    }
}
