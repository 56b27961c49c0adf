// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// What the end of a connection is told to.
protocol MeteredConnection: AnyObject {
    /// Whether a response is under way that has not wholly been accepted by the kernel.
    var isAwaitingDelivery: Bool { get }

    /// The connection is gone.
    ///
    /// - Parameters:
    ///   - sentByteCount: What left, of all that was handed over, or `nil` where the kernel cannot be asked.
    ///   - unreadByteCount: What the kernel received but nobody read.
    func connectionEnded(sentByteCount: Int64?, unreadByteCount: Int64)
}

/// Finds out what became of a connection's last bytes, and tells its meter.
final class ConnectionEnding {
    /// How often the kernel is asked whether the last bytes of an aborted response have gone.
    private static let checkInterval = TimeAmount.milliseconds(20)
    /// After this many checks the bytes still queued count as delivered.
    private static let checkCountMax = 250

    private let meter: any MeteredConnection
    private let deliveries: DeliveryWatch
    private var probe: ProbeSlot?

    init(meter: any MeteredConnection, deliveries: DeliveryWatch) {
        self.meter = meter
        self.deliveries = deliveries
    }

    /// The connection is up: keeps hold of its socket.
    func began(_ context: ChannelHandlerContext) {
        guard probe == nil else { return }
        let pipeline = context.pipeline.syncOperations
        _ = try? pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
            probe = ProbeSlot(KernelProbe(duplicating: socket))
        }
    }

    /// The channel has closed, and all its handlers know.
    func ended(on eventLoop: any EventLoop) {
        guard let probe else { return meter.connectionEnded(sentByteCount: nil, unreadByteCount: 0) }
        self.probe = nil
        let unread = probe.unreadByteCount()
        // With bytes unread the kernel resets the connection at once; otherwise it first delivers what it has.
        if unread == 0, meter.isAwaitingDelivery, probe.isDelivering() {
            // Read before the end: the FIN would count as one byte more.
            let accepted = probe.sentByteCount()
            probe.endConnection()
            deliveries.began()
            awaitDelivery(of: accepted, probe, checksLeft: Self.checkCountMax, on: eventLoop)
        } else {
            meter.connectionEnded(sentByteCount: probe.sentByteCount(), unreadByteCount: unread)
        }
    }

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
        eventLoop.assumeIsolated().scheduleTask(in: Self.checkInterval) { [self] in
            awaitDelivery(of: accepted, probe, checksLeft: checksLeft - 1, on: eventLoop)
        }
    }
}

/// Holds a probe, which cannot be copied, where a class can keep it.
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
