// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DequeModule
import HTTPTypes
import Metering
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTPTypes

/// Sits behind the codec: reports to the connection's meter what the bytes meant.
final class MessageMeterHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let meter: ConnectionMeter?
    private let input: ConnectionInput
    private let repeater: AnswerRepeater?
    private let service: UsageAttribution.Service
    private let exchanges: ExchangeQueue
    /// `nil` where nothing is counted.
    private let parts: HTTP1Parts?
    private var exchangeCount: Int32 = 0
    /// Requests that are not wholly answered.
    private var open: Deque<Exchange> = []
    private let pusher: HTTP1Pusher
    private let callers = CallerCache()

    init(
        meter: ConnectionMeter?,
        input: ConnectionInput,
        repeater: AnswerRepeater?,
        service: UsageAttribution.Service,
        exchanges: ExchangeQueue,
        pusher: HTTP1Pusher,
        parts: HTTP1Parts?
    ) {
        self.pusher = pusher
        self.meter = meter
        self.input = input
        self.repeater = repeater
        self.service = service
        self.exchanges = exchanges
        self.parts = parts
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            begin(head)
        case .body(let buffer):
            meter?.requestBody(buffer.readableBytes)
        case .end:
            input.isReadingRequest = false
            meter?.requestEnded()
        }
        context.fireChannelRead(data)
    }

    private func begin(_ head: HTTPRequest) {
        let body = RequestFramer.BodyKind(of: head)
        input.framer.headEnded(body: body)
        input.isReadingRequest = true
        exchangeCount &+= 1
        let caller = callers.caller(authorization: head.headerFields[.authorization])
        let exchange = Exchange(
            attribution: .unattributed(request: head, from: caller, service: service),
            caller: caller,
            streamID: exchangeCount,
            parts: parts,
            target: head.path
        )
        exchange.pushes(through: pusher)
        repeater?.requestBegan(head, body: body, in: exchange)
        meter?.requestBegan(exchange, method: head.method.rawValue)
        exchanges.append(exchange)
        open.append(exchange)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { pusher.becameWritable() }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { clientGone() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        clientGone()
        context.fireChannelInactive()
    }

    /// A client that sends no more requests is not there to wait for what comes much later.
    private func clientGone() {
        for exchange in open { exchange.clientGone() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        pusher.messageIsWritten()
        if case .end = part, !open.isEmpty { open.removeFirst().answered() }
        guard let meter else { return context.write(data, promise: promise) }
        switch part {
        case .head(let head):
            if head.status.kind == .informational {
                return meter.responsePart(bodyByteCount: 0) { context.write(data, promise: promise) }
            }
            repeater?.responseBegan(head)
            meter.responsePart(bodyByteCount: 0) { context.write(data, promise: promise) }
            repeater?.responseHeadEnded()
            meter.responseBegan(status: head.status.code)
        case .body(let buffer):
            meter.responsePart(bodyByteCount: buffer.readableBytes) { context.write(data, promise: promise) }
        case .end:
            writeEnd(context: context, data: data, promise: promise, meter: meter)
        }
    }

    private func writeEnd(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?,
        meter: ConnectionMeter
    ) {
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { meter.responseAccepted() }
        meter.responsePart(bodyByteCount: 0) {
            context.write(data, promise: written)
        }
        repeater?.responseEnded()
        meter.responseHanded()
    }
}

extension RequestFramer.BodyKind {
    /// The body that a request head declares, as HTTP/1.1 reads it (RFC 9112 section 6.3).
    init(of head: HTTPRequest) {
        if head.headerFields[.transferEncoding] != nil {
            self = .chunked
        } else if let length = head.headerFields[.contentLength].flatMap(Int64.init) {
            self = .length(length)
        } else {
            self = .none
        }
    }
}

/// The exchanges of one connection on their way from the event loop to the task that answers them.
final class ExchangeQueue: Sendable {
    private let waiting = NIOLockedValueBox<Deque<Exchange>>([])

    func append(_ exchange: Exchange) {
        waiting.withLockedValue { $0.append(exchange) }
    }

    /// Takes the exchange of the request that the task has just received; requests are answered in order.
    func next() -> Exchange {
        waiting.withLockedValue { waiting in
            precondition(!waiting.isEmpty, "a request reaches its server only after the meter has seen its head")
            return waiting.removeFirst()
        }
    }
}
