// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
package import NIOCore

/// One HTTP/2 connection as the streams on it see it.
package final class StreamConnection: Sendable, ExchangePartFiling {
    /// The loop on which the connection and all its streams live.
    package let eventLoop: any EventLoop
    /// The client's address as gRPC writes it, such as `ipv4:127.0.0.1:31415`.
    package let remotePeer: String
    /// The server's address as gRPC writes it.
    package let localPeer: String
    /// The bytes that the connection may hold, for what holds some off the event loop.
    package let budget = ByteBudget.connection(of: .process)

    private struct LoopState {
        let meter: HTTP2ConnectionMeter?
        /// `nil` before the connection has been set up, and after it has ended.
        var streams: HTTP2StreamsHandler?
    }

    private let loopState: NIOLoopBoundBox<LoopState>
    private let waiting = NIOLockedValueBox<[any StreamWork]>([])
    private let order = WorkOrder()

    init(channel: any Channel, meter: HTTP2ConnectionMeter?) {
        eventLoop = channel.eventLoop
        remotePeer = Self.peer(channel.remoteAddress)
        localPeer = Self.peer(channel.localAddress)
        loopState = NIOLoopBoundBox(LoopState(meter: meter), eventLoop: channel.eventLoop)
    }

    private static func peer(_ address: SocketAddress?) -> String {
        guard let address, let host = address.ipAddress, let port = address.port else { return "unknown" }
        return if case .v6 = address { "ipv6:[\(host)]:\(port)" } else { "ipv4:\(host):\(port)" }
    }

    /// Runs work of a stream on the event loop, soon; called on any thread.
    ///
    /// Work of many streams that comes together is run together, and what it writes is flushed once.
    package func perform(_ work: any StreamWork) {
        perform(CollectionOfOne(work))
    }

    func perform(_ works: some Collection<any StreamWork>) {
        let isFirst = waiting.withLockedValue { waiting in
            defer { waiting += works }
            return waiting.isEmpty
        }
        if isFirst, !works.isEmpty { eventLoop.execute { self.performWaiting() } }
    }

    // MARK: Work in order

    /// Whether no work is being done in order, or waits for that.
    package var isOrderIdle: Bool { order.isIdle }

    /// Does work of the connection in the order in which it is handed over, one after the other, on a thread.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - id: By which the work may pass its turn on before it is done.
    ///   - isSmall: Whether it takes no longer than some ten microseconds.
    ///   - executor: Where it is done.
    package func performInOrder(
        _ work: any BatchedWork,
        id: ObjectIdentifier,
        isSmall: Bool,
        on executor: BlockingExecutor
    ) {
        let item = WorkOrder.Item(work: work, id: id, isSmall: isSmall)
        if order.add(item) { executor.run(OrderedBatch(order, for: self)) }
    }

    /// Lets the next work begin while that with the id continues; nothing happens unless it has its turn.
    package func passTurn(of id: ObjectIdentifier, on executor: BlockingExecutor) {
        if order.pass(id) { executor.run(OrderedBatch(order, for: self)) }
    }

    private func performWaiting() {
        let works = waiting.withLockedValue { waiting in
            let works = waiting
            waiting.removeAll(keepingCapacity: true)
            return works
        }
        let performAll = { for work in works { work.performOnEventLoop() } }
        if let streams = loopState.value.streams { streams.batch(performAll) } else { performAll() }
    }

    /// The connection has been set up, or has ended.
    func become(_ streams: HTTP2StreamsHandler?) {
        loopState.value.streams = streams
    }

    func file(_ part: Exchange.Filing, of streamID: Int32) {
        guard !eventLoop.inEventLoop else { return fileNow(part, of: streamID) }
        eventLoop.execute { self.fileNow(part, of: streamID) }
    }

    private func fileNow(_ part: Exchange.Filing, of streamID: Int32) {
        loopState.value.meter?.filePart(part, of: streamID)
    }
}

/// The actions of a stream on its connection's event loop.
package protocol StreamWork: AnyObject, Sendable {
    /// Does the work; called on the event loop.
    func performOnEventLoop()
}
