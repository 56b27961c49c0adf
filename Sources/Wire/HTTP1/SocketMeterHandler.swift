// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Sits next to the socket: counts what passes, cuts the input at message boundaries, and answers from memory what need
/// not go further.
final class SocketMeterHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let meter: ConnectionMeter
    private let input: ConnectionInput
    private let repeater: AnswerRepeater?
    private let unwritten: UnwrittenAnswers
    private let ending: ConnectionEnding?
    /// Answers have been written that are not yet on their way.
    private var needsFlush = false
    /// The handlers behind have got something of what was read last.
    private var hasForwarded = false

    init(
        meter: ConnectionMeter,
        input: ConnectionInput,
        repeater: AnswerRepeater?,
        unwritten: UnwrittenAnswers,
        deliveries: DeliveryWatch,
        audit: KernelAudit
    ) {
        self.meter = meter
        self.input = input
        self.repeater = repeater
        self.unwritten = unwritten
        ending = meter.isCounting ? ConnectionEnding(meter: meter, deliveries: deliveries, audit: audit) : nil
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { ending?.began(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        ending?.began(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        while buffer.readableBytes > 0 {
            let length = input.framer.pieceLength(in: buffer.readableBytesView)
            guard let piece = buffer.readSlice(length: length) else { return }
            if isRepeated(piece, in: context) { continue }
            hasForwarded = true
            meter.willDecode(length)
            context.fireChannelRead(wrapInboundOut(piece))
            meter.didDecode()
            repeater?.pieceDecoded()
        }
    }

    /// Answers a request that came before, if its answer is still known.
    private func isRepeated(_ piece: ByteBuffer, in context: ChannelHandlerContext) -> Bool {
        // A client that does not take its answers gets no more of them here. Flushing now would not help: where it fails,
        // the channel reads what is left, and those bytes would overtake the rest of these.
        guard let repeater, meter.isBetweenExchanges, context.channel.isWritable else { return false }
        let now = meter.now()
        guard let (answer, bytes) = repeater.answer(to: piece, now: now) else { return false }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [meter, unwritten] result in
            // A file must not close before it is sent.
            withExtendedLifetime(bytes) {}
            if case .success = result { meter.repeatAccepted() }
            unwritten.ended()
        }
        unwritten.began()
        meter.repeatBegan(answer, startMicroseconds: now)
        context.write(wrapOutboundOut(bytes.data(on: context.eventLoop)), promise: written)
        needsFlush = true
        return true
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        let wasForwarded = hasForwarded
        hasForwarded = false
        if needsFlush {
            needsFlush = false
            context.flush()
        }
        // The flush may have found the connection broken.
        guard context.channel.isActive else { return }
        // The read begins here: otherwise the channel would ask all the handlers behind whether it may read on.
        if wasForwarded { context.fireChannelReadComplete() } else { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        meter.handed(bytes.readableBytes)
        repeater?.passed(bytes)
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        ending?.closing()
        context.close(mode: mode, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        // The codec still holds what it could not decode: let it and the handlers behind it finish first.
        context.fireChannelInactive()
        ending?.ended(on: context.eventLoop)
    }
}

extension GivenBytes {
    fileprivate func data(on eventLoop: any EventLoop) -> IOData {
        switch self {
        case .buffer(let bytes): .byteBuffer(bytes)
        case .file(let file): file.data(on: eventLoop)
        }
    }
}
