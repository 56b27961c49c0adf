// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOCore
import NIOHTTP2

/// Sets up a connection that began with the preface of HTTP/2.
///
///     socket ─ HTTP2Socket ─ NIOHTTP2 ─ HTTP2Streams ─ HTTP2Connection
///                                           └─ WireStream ─ the service's handler, or HTTPStreamHandler
struct MeteredHTTP2Channel: Sendable {
    let service: any WireStreamService
    let requests: HTTPStreams
    /// Where usage records go; `nil` switches counting off.
    var sink: (any UsageRecording)?
    let deliveries: DeliveryWatch
    let audit: KernelAudit
    let now: @Sendable () -> Int64

    /// Adds the handlers; called on the channel's event loop.
    func setUp(_ channel: any Channel) throws {
        let meter = sink.map { HTTP2ConnectionMeter(sink: $0, service: requests.service.meteredService, now: now) }
        let socket = HTTP2SocketHandler(meter: meter, deliveries: deliveries, audit: audit)
        let connection = StreamConnection(channel: channel, meter: meter)
        meter?.parts = connection
        let codec = NIOHTTP2Handler(
            mode: .server,
            connectionConfiguration: HTTP2Limits.connectionConfiguration,
            streamConfiguration: HTTP2Limits.streamConfiguration
        )
        let meteredService = requests.service.meteredService
        let streams = HTTP2StreamsHandler(
            service: service,
            requests: requests,
            unknown: UsageAttribution(service: meteredService, operation: "\(meteredService.rawValue).unknown"),
            connection: connection,
            meter: meter
        )
        let end = HTTP2ConnectionHandler(socket: socket, streams: streams)
        try channel.pipeline.syncOperations.addHandlers([socket, codec, streams, end])
    }
}
