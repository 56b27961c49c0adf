// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOCore

/// The receiver of a connection's end.
protocol MeteredConnection: AnyObject {
    /// Whether a response is under way that has not wholly been accepted by the kernel.
    var isAwaitingDelivery: Bool { get }

    /// The bytes that are in records by now.
    var recorded: SocketCount { get }

    /// The connection is gone.
    func connectionEnded(_ end: ConnectionEnd)
}

/// Finds out the outcome of a connection's last bytes, and reports it to its meter.
final class ConnectionEnding {
    /// How often the kernel is asked whether the last bytes of an aborted response have gone.
    private static let checkInterval = TimeAmount.milliseconds(20)
    /// After this many checks the bytes still queued count as delivered.
    private static let checkCountMax = 250

    private let meter: any MeteredConnection
    private let deliveries: DeliveryWatch
    private let audit: KernelAudit
    private var probe: ProbeSlot?
    /// Why what is under way breaks off, as it was when the server began to close.
    private var causeAtClose: AbortCause?

    init(meter: any MeteredConnection, deliveries: DeliveryWatch, audit: KernelAudit) {
        self.meter = meter
        self.deliveries = deliveries
        self.audit = audit
    }

    /// The connection is up: keeps hold of its socket.
    func began(_ context: ChannelHandlerContext) {
        guard probe == nil else { return }
        let pipeline = context.pipeline.syncOperations
        // Channels of tests have no socket; they end without a look at the kernel's counts.
        _ = try? pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
            probe = ProbeSlot(KernelProbe(duplicating: socket))
        }
    }

    /// The server closes the channel, or one side of it.
    func closing() {
        // Later the state would not show who was first.
        causeAtClose = causeAtClose ?? probe?.abortCause()
    }

    /// The channel has closed, and all its handlers know.
    func ended(on eventLoop: any EventLoop) {
        guard let probe else { return meter.connectionEnded(ConnectionEnd()) }
        self.probe = nil
        let (receivedByteCount, unreadByteCount) = probe.receivedByteCounts()
        var end = ConnectionEnd(unreadByteCount: unreadByteCount, cause: causeAtClose ?? probe.abortCause())
        let received = receivedByteCount.map { ReceivedBytes(count: $0, fins: probe.countedFINs()) }
        // With bytes unread the kernel resets the connection at once; otherwise it first delivers what it has.
        if end.unreadByteCount == 0, meter.isAwaitingDelivery, probe.isDelivering() {
            // Read before the end: the FIN would count as one byte more.
            end.sentByteCount = probe.sentByteCount()
            probe.endConnection()
            deliveries.began()
            awaitDelivery(of: end, received: received, probe: probe, checksLeft: Self.checkCountMax, on: eventLoop)
        } else {
            end.sentByteCount = probe.sentByteCount()
            conclude(end, received: received)
        }
    }

    /// The kernel's count when the channel had closed.
    private struct ReceivedBytes {
        let count: Int64
        /// Whose FIN may be among them, or among what was sent.
        let fins: (ofClient: Bool, own: Bool)
    }

    private func conclude(_ end: ConnectionEnd, received: ReceivedBytes?) {
        meter.connectionEnded(end)
        guard let received, let sent = end.sentByteCount else { return }
        var kernel = SocketCount(received: received.count, sent: sent)
        let recorded = meter.recorded
        if received.fins.ofClient, kernel.received == recorded.received + 1 { kernel.received -= 1 }
        if received.fins.own, kernel.sent == recorded.sent + 1 { kernel.sent -= 1 }
        audit.ended(kernel: kernel, recorded: recorded)
    }

    private func awaitDelivery(
        of end: ConnectionEnd,
        received: ReceivedBytes?,
        probe: ProbeSlot,
        checksLeft: Int,
        on eventLoop: any EventLoop
    ) {
        guard checksLeft > 0, probe.isDelivering(), !deliveries.isHurried else {
            var end = end
            end.sentByteCount = [end.sentByteCount, probe.sentByteCount()].compactMap(\.self).min()
            conclude(end, received: received)
            return deliveries.ended()
        }
        eventLoop.assumeIsolated().scheduleTask(in: Self.checkInterval) { [self] in
            awaitDelivery(of: end, received: received, probe: probe, checksLeft: checksLeft - 1, on: eventLoop)
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
    func receivedByteCounts() -> (all: Int64?, unread: Int64) { probe.receivedByteCounts() }
    func isDelivering() -> Bool { probe.isDelivering() }
    func abortCause() -> AbortCause? { probe.abortCause() }
    func countedFINs() -> (ofClient: Bool, own: Bool) { probe.countedFINs() }
    func endConnection() { probe.endConnection() }
}

/// The last figures of a closed connection.
struct ConnectionEnd {
    /// The bytes that left, of all that were handed over; `nil` where the kernel cannot be asked.
    var sentByteCount: Int64?
    /// The bytes that the kernel received and no one read.
    var unreadByteCount: Int64 = 0
    /// Why what was under way broke off; `nil` where the kernel cannot be asked.
    var cause: AbortCause?
}

extension UsageRecord {
    /// Makes this, the record of a whole answer, that of one that broke off; its head went before its body.
    mutating func cut(toSentByteCount count: Int64, cause: AbortCause?) {
        let header = min(count, self.sent.header)
        let body = min(count - header, self.sent.body)
        self.sent = TransferredBytes(header: header, body: body, wire: header + body)
        self.billed.egressBytes = min(self.billed.egressBytes, body)
        self.outcome = .aborted
        self.abortCause = cause
    }
}
