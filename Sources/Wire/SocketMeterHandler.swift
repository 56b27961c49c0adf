// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Sits next to the socket: counts what passes and cuts the input at message boundaries.
final class SocketMeterHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let meter: ConnectionMeter
    private let framer: SharedFramer
    private let ending: ConnectionEnding

    init(meter: ConnectionMeter, framer: SharedFramer, deliveries: DeliveryWatch) {
        self.meter = meter
        self.framer = framer
        ending = ConnectionEnding(meter: meter, deliveries: deliveries)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { ending.began(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        ending.began(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        while buffer.readableBytes > 0 {
            let length = framer.value.pieceLength(in: buffer.readableBytesView)
            guard let piece = buffer.readSlice(length: length) else { return }
            meter.willDecode(length)
            context.fireChannelRead(wrapInboundOut(piece))
            meter.didDecode()
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        meter.handed(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        // The codec still holds what it could not decode: let it and the handlers behind it finish first.
        context.fireChannelInactive()
        ending.ended(on: context.eventLoop)
    }
}

/// The framer as both handlers of a connection see it.
final class SharedFramer {
    var value = RequestFramer()
}
