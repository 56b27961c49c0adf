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

    private struct LoopState {
        let meter: HTTP2ConnectionMeter?
        /// `nil` before the connection has been set up, and after it has ended.
        var streams: HTTP2StreamsHandler?
    }

    private let loopState: NIOLoopBoundBox<LoopState>
    private let waiting = NIOLockedValueBox<[any StreamWork]>([])

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
        eventLoop.execute { self.loopState.value.meter?.filePart(part, of: streamID) }
    }
}

/// What a stream does on its connection's event loop.
package protocol StreamWork: AnyObject, Sendable {
    /// Does the work; called on the event loop.
    func performOnEventLoop()
}
