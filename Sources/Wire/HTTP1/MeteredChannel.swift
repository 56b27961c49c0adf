// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Logging
import Metering
import NIOCore

/// Sets up an accepted connection for the protocol that its first bytes speak.
struct MeteredChannel: ServerChildChannel {
    private let http1: MeteredHTTP1Channel
    /// `nil` where only HTTP/1.1 is spoken; no byte is looked at then.
    private let http2: MeteredHTTP2Channel?
    private let link: NetworkLink?

    init(
        service: any WireService,
        sink: (any UsageRecording)?,
        deliveries: DeliveryWatch,
        audit: KernelAudit,
        lingering: LingeringLimits,
        running: RunningWork,
        link: NetworkLink?,
        now: @escaping @Sendable () -> Int64
    ) {
        self.link = link
        http1 = MeteredHTTP1Channel(
            service: service,
            sink: sink,
            deliveries: deliveries,
            audit: audit,
            lingering: lingering,
            now: now
        )
        http2 = service.streamService.map {
            MeteredHTTP2Channel(
                service: $0,
                requests: HTTPStreams(service: service, running: running),
                sink: sink,
                deliveries: deliveries,
                audit: audit,
                now: now
            )
        }
    }

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let negotiated: EventLoopFuture<Negotiated>
    }

    /// The protocol of a connection.
    enum Negotiated: Sendable {
        case http1(MeteredHTTP1Channel.Value)
        /// The handlers of the channel do everything: those of HTTP/2, or of a relay.
        case handled
        /// The connection ended before that was plain.
        case nothing
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        switch link?.accepted(channel) ?? .client(channel.remoteAddress?.ipAddress) {
        case .client(let address): setUp(channel, ofClientAt: address, logger: logger)
        case .relayed:
            channel.eventLoop.makeCompletedFuture {
                if let link { try LinkRelay.setUp(channel, over: link) }
                return Value(channel: channel, negotiated: channel.eventLoop.makeSucceededFuture(.handled))
            }
        }
    }

    private func setUp(_ channel: any Channel, ofClientAt address: String?, logger: Logger) -> EventLoopFuture<Value> {
        // The connection's own.
        var (http1, http2) = (http1, http2)
        http1.sink = http1.sink?.recording(connectionFrom: address)
        http2?.sink = http1.sink
        return channel.eventLoop.makeCompletedFuture { [http1, http2] in
            guard let http2 else {
                let value = try http1.setUp(channel, logger: logger)
                return Value(channel: channel, negotiated: channel.eventLoop.makeSucceededFuture(.http1(value)))
            }
            let detector = ProtocolDetectionHandler(eventLoop: channel.eventLoop, meter: http1.makeMeter()) { verdict in
                if verdict == .http2 {
                    try http2.setUp(channel)
                    return .handled
                }
                return .http1(try http1.setUp(channel, logger: logger))
            }
            try channel.pipeline.syncOperations.addHandler(detector)
            return Value(channel: channel, negotiated: detector.negotiated)
        }
    }

    func handle(value: Value, logger: Logger) async {
        let negotiated = await withTaskCancellationHandler {
            try? await value.negotiated.get()
        } onCancel: {
            value.channel.close(promise: nil)
        }
        switch negotiated {
        case .http1(let value): await http1.handle(value: value, logger: logger)
        case .handled: await waitForEnd(of: value.channel)
        case .nothing, nil: break
        }
    }

    private func waitForEnd(of channel: any Channel) async {
        await withTaskCancellationHandler {
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}

/// Brings the parts of long exchanges, and bills that come late, to the meter of their HTTP/1.1 connection.
final class HTTP1Parts: ExchangePartFiling {
    private let channel: any Channel
    private let meter: NIOLoopBound<ConnectionMeter>

    /// Called on the channel's event loop.
    init(_ meter: ConnectionMeter, of channel: any Channel) {
        self.channel = channel
        self.meter = NIOLoopBound(meter, eventLoop: channel.eventLoop)
    }

    func file(_ part: Exchange.Filing, of exchangeNumber: Int32) {
        guard !channel.eventLoop.inEventLoop else { return fileNow(part, of: exchangeNumber) }
        channel.eventLoop.execute { self.fileNow(part, of: exchangeNumber) }
    }

    private func fileNow(_ part: Exchange.Filing, of exchangeNumber: Int32) {
        // A closed channel holds nothing back any more.
        let pending = try? channel.syncOptions?.getOption(.bufferedWritableBytes)
        meter.value.filePart(part, of: exchangeNumber, pendingByteCount: Int64(pending ?? 0))
    }
}

/// The requests of an HTTP/1.1 connection as far as they have come, shared by its handlers.
final class ConnectionInput {
    /// Sees all bytes that are metered, and none where nothing is.
    var framer = RequestFramer()
    /// A head has come, and more of its request is to follow.
    var isReadingRequest = false
    /// The decoder has met what it cannot read, and reads no more.
    var isBroken = false
}
