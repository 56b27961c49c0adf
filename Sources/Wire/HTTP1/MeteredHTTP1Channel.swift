// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Logging
import Metering
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Sets up an accepted connection for HTTP/1.1 and hands its requests to a service.
struct MeteredHTTP1Channel: ServerChildChannel, HTTPChannelHandler {
    /// A connection without a complete request for this long is closed.
    static let idleTimeout = Duration.seconds(300)
    /// A connection with more bytes waiting than the high mark is handed no more until there are less than the low one.
    ///
    /// An answer from memory stays below, so that not every one of them stops and starts the writer.
    static let waitingByteCounts = ChannelOptions.Types.WriteBufferWaterMark(low: 64 << 10, high: 320 << 10)

    let service: any WireService
    /// Where usage records go; `nil` switches counting off.
    var sink: (any UsageRecording)?
    let deliveries: DeliveryWatch
    let audit: KernelAudit
    let lingering: LingeringLimits
    let now: @Sendable () -> Int64
    private let memory: AnswerMemory?
    private var exchanges = ExchangeQueue()

    init(
        service: any WireService,
        sink: (any UsageRecording)?,
        deliveries: DeliveryWatch,
        audit: KernelAudit,
        lingering: LingeringLimits,
        now: @escaping @Sendable () -> Int64
    ) {
        self.service = service
        self.sink = sink
        self.deliveries = deliveries
        self.audit = audit
        self.lingering = lingering
        self.now = now
        memory = service.repeatsAnswers ? AnswerMemory() : nil
    }

    struct Value: ServerChildChannelValue {
        let asyncChannel: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
        let exchanges: ExchangeQueue
        fileprivate let outcome: Outcome
        var channel: any Channel { asyncChannel.channel }
    }

    /// Closes a connection that was accepted and then, as the server stopped, never handled: SwiftNIO ends the process
    /// when such a one just goes.
    fileprivate final class Outcome: Sendable {
        private let asyncChannel: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
        private let isHandled = NIOLockedValueBox(false)

        init(_ asyncChannel: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>) {
            self.asyncChannel = asyncChannel
        }

        deinit {
            guard !isHandled.withLockedValue({ $0 }) else { return }
            // NIO stops the process where an async channel is dropped without having been closed.
            Task { [asyncChannel] in try? await asyncChannel.executeThenClose { _, _ in } }
        }

        func handled() { isHandled.withLockedValue { $0 = true } }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture { try setUp(channel, logger: logger) }
    }

    /// Adds the handlers; called on the channel's event loop.
    func setUp(_ channel: any Channel, logger: Logger) throws -> Value {
        let exchanges = ExchangeQueue()
        let input = ConnectionInput()
        let meter = makeMeter(memory.map { _ in RepeatAccounts.of(channel.eventLoop) })
        let repeater = memory.map { AnswerRepeater(memory: $0, now: now()) }
        let unwritten = UnwrittenAnswers()
        try channel.syncOptions?.setOption(.writeBufferWaterMark, value: Self.waitingByteCounts)
        let pipeline = channel.pipeline.syncOperations
        if let meter {
            try pipeline.addHandler(
                SocketMeterHandler(
                    meter: meter,
                    input: input,
                    repeater: repeater,
                    unwritten: unwritten,
                    deliveries: deliveries,
                    audit: audit
                )
            )
        }
        try pipeline.addHandler(LingeringCloseHandler(input: input, meter: meter, limits: lingering))
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,  // the task of the connection answers one request after the other
            withErrorHandling: false,  // handleHTTP answers 400
            withOutboundHeaderValidation: false,  // HTTPFields has validated them
            withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: HeadLimits.decoder
        )
        try pipeline.addHandler(KeepAliveHandler())
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(
            MessageMeterHandler(
                meter: meter,
                input: input,
                repeater: repeater,
                service: service.meteredService,
                exchanges: exchanges,
                pusher: try HTTP1Pusher(channel, meter: meter, repeater: repeater),
                parts: meter.flatMap { $0.isCounting ? HTTP1Parts($0, of: channel) : nil }
            )
        )
        try pipeline.addHandler(AnswerOnceHandler(input: input) { [service] in service.errorBody(of: $0) })
        try pipeline.addHandler(CloseAfterWriteHandler(unwritten))
        try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: Self.idleTimeout, logger: logger))
        let asyncChannel = try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true)
        )
        return Value(asyncChannel: asyncChannel, exchanges: exchanges, outcome: Outcome(asyncChannel))
    }

    /// A meter for one connection; `nil` when nothing is counted and nothing repeated.
    ///
    /// `accounts` gather the records of what is repeated.
    func makeMeter(_ accounts: RepeatAccounts? = nil) -> ConnectionMeter? {
        guard sink != nil || memory != nil else { return nil }
        return ConnectionMeter(sink: sink, service: service.meteredService, accounts: accounts, now: now)
    }

    func handle(value: Value, logger: Logger) async {
        var connection = self
        connection.exchanges = value.exchanges
        value.outcome.handled()
        await connection.handleHTTP(asyncChannel: value.asyncChannel, logger: logger)
    }

    var responder: Responder {
        { request, writer, channel in
            let exchange = exchanges.next()
            if let refusal = service.refusal(of: request, in: exchange) {
                return try await Self.write(refusal, to: writer, of: request, in: exchange)
            }
            if request.headers[.expect]?.lowercased() == "100-continue" {
                try await writer.writeInformationalHead(HTTPResponse(status: .continue))
            }
            let response = await service.respond(to: request, exchange: exchange)
            if exchange.isReset {
                await AnswerBreak.reset(channel)
                throw AnswerBreak()
            }
            do {
                try await Self.write(response, to: writer, of: request, in: exchange)
            } catch let end as AnswerBreak {
                await AnswerBreak.deliver(channel)
                throw end
            }
        }
    }

    private static func write(
        _ response: Response,
        to writer: consuming ResponseWriter,
        of request: Request,
        in exchange: Exchange
    ) async throws {
        var (head, hasBody) = response.head(answering: request, in: exchange)
        guard !hasBody else { return try await writer.write(response: head, body: response.body) }
        // Without a length the codec, which does not know that this answers a HEAD, would end a chunked body.
        if request.method == .head, head.headerFields[.contentLength] == nil { head.headerFields[.contentLength] = "0" }
        try await writer.writeResponse(head)
    }
}
