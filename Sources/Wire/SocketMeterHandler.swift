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
    private let deliveries: DeliveryWatch
    private var probe: ProbeSlot?

    init(meter: ConnectionMeter, framer: SharedFramer, deliveries: DeliveryWatch) {
        self.meter = meter
        self.framer = framer
        self.deliveries = deliveries
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { startProbe(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        startProbe(context)
        context.fireChannelActive()
    }

    private func startProbe(_ context: ChannelHandlerContext) {
        guard probe == nil else { return }
        let pipeline = context.pipeline.syncOperations
        _ = try? pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
            probe = ProbeSlot(KernelProbe(duplicating: socket))
        }
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
        guard let probe else { return meter.connectionEnded(sentByteCount: nil, unreadByteCount: 0) }
        self.probe = nil
        let unread = probe.unreadByteCount()
        // With bytes unread the kernel resets the connection at once; otherwise it first delivers what it has.
        if unread == 0, meter.isAwaitingDelivery, probe.isDelivering() {
            // Read before the end: the FIN would count as one byte more.
            let accepted = probe.sentByteCount()
            probe.endConnection()
            deliveries.began()
            awaitDelivery(of: accepted, probe, checksLeft: Self.deliveryCheckCountMax, on: context.eventLoop)
        } else {
            meter.connectionEnded(sentByteCount: probe.sentByteCount(), unreadByteCount: unread)
        }
    }

    /// How often the kernel is asked whether the last bytes of an aborted response have gone.
    private static let deliveryCheckInterval = TimeAmount.milliseconds(20)
    /// After this many checks the bytes still queued count as delivered.
    private static let deliveryCheckCountMax = 250

    private func awaitDelivery(
        of accepted: Int64?,
        _ probe: ProbeSlot,
        checksLeft: Int,
        on eventLoop: any EventLoop
    ) {
        guard checksLeft > 0, probe.isDelivering(), !deliveries.isHurried else {
            let sent = [accepted, probe.sentByteCount()].compactMap(\.self).min()
            meter.connectionEnded(sentByteCount: sent, unreadByteCount: 0)
            return deliveries.ended()
        }
        eventLoop.assumeIsolated().scheduleTask(in: Self.deliveryCheckInterval) { [self] in
            awaitDelivery(of: accepted, probe, checksLeft: checksLeft - 1, on: eventLoop)
        }
    }
}

/// The framer as both handlers of a connection see it.
final class SharedFramer {
    var value = RequestFramer()
}

/// Holds a probe, which cannot be copied, where a handler can keep it.
private final class ProbeSlot {
    private let probe: KernelProbe

    init?(_ probe: consuming KernelProbe?) {
        guard let probe else { return nil }
        self.probe = probe
    }

    func sentByteCount() -> Int64? { probe.sentByteCount() }
    func unreadByteCount() -> Int64 { probe.unreadByteCount() }
    func isDelivering() -> Bool { probe.isDelivering() }
    func endConnection() { probe.endConnection() }
}
