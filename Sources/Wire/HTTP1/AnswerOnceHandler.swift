// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JSON
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Keeps a request from being answered twice, and words the answer to what cannot be read as a request.
///
/// The server answers broken input with an empty 400 of its own. When a body breaks off after its request was refused,
/// that would be a second answer; when a head does, the service's own form of an error takes its place.
final class AnswerOnceHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let input: ConnectionInput
    private let errorBody: (HeadRefusal) -> JSONText
    private var unansweredCount = 0
    private var refusal: HeadRefusal?
    private var isDropping = false

    /// Creates a handler for a connection; `errorBody` is the text of an answer to a request with a bad head.
    init(input: ConnectionInput, errorBody: @escaping (HeadRefusal) -> JSONText) {
        self.input = input
        self.errorBody = errorBody
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { unansweredCount += 1 }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? HTTPParserError, !input.isBroken {
            input.isBroken = true
            if !input.isReadingRequest {
                refusal = HeadRefusal(error, requestLineByteCount: input.framer.requestLineByteCount)
            }
        }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        if case .head = part, unansweredCount == 0 {
            if let refusal { return write(refusal, in: context, promise: promise) }
            isDropping = isDropping || input.isReadingRequest
        }
        if isDropping {
            promise?.succeed()
        } else {
            context.write(data, promise: promise)
        }
        guard case .end = part else { return }
        if !isDropping { unansweredCount = max(0, unansweredCount - 1) }
        isDropping = false
    }

    /// Writes a head and a body in place of the server's head; the end that follows is the server's.
    private func write(_ refusal: HeadRefusal, in context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        let body = ByteBuffer(string: errorBody(refusal).rendered(isIndented: true))
        let fields: HTTPFields = [
            .contentType: "application/json; charset=UTF-8", .contentLength: "\(body.readableBytes)",
            .connection: "close", .date: HTTPDate.now,
        ]
        let head = HTTPResponse(status: HTTPResponse.Status(code: refusal.status), headerFields: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: promise)
    }
}

/// The answers of a connection that have been handed over and not yet wholly been taken by the kernel.
final class UnwrittenAnswers {
    private(set) var count = 0
    private var waiting: [() -> Void] = []

    func began() { count += 1 }

    func ended() {
        count -= 1
        if count == 0 { waitNoLonger() }
    }

    /// Does something when there are none.
    func whenNone(_ body: @escaping () -> Void) { waiting.append(body) }

    /// Does now what waits.
    func waitNoLonger() {
        let waiting = waiting
        self.waiting = []
        for body in waiting { body() }
    }
}

/// Lets a response that has been handed over reach the kernel before the connection is closed.
///
/// At shutdown the server closes a connection as soon as it has written the end of a response; the channel would throw
/// away what a slow client has not made room for yet. So it does when only the sending side is closed, to a client that
/// has closed its own.
final class CloseAfterWriteHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// A client that has not taken everything this long after the close was asked for loses the rest.
    static let timeout = TimeAmount.seconds(10)

    private let unwritten: UnwrittenAnswers

    init(_ unwritten: UnwrittenAnswers) {
        self.unwritten = unwritten
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        unwritten.began()
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [unwritten] _ in unwritten.ended() }
        context.write(data, promise: written)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input, unwritten.count > 0 else {
            return context.close(mode: mode, promise: promise)
        }
        // A close now would drop the end of answers that still wait in the channel.
        unwritten.whenNone { context.close(mode: mode, promise: promise) }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.timeout) { [unwritten] in unwritten.waitNoLonger() }
    }
}

/// Makes plain which requests are the last of their connection, whatever way their client says so, and gives requests of
/// HTTP/1.0 the `Host` field that they need not have.
///
/// The server only looks for `Connection: close` to the letter; HTTP/1.0 means it by default, and the
/// version is not known behind the codec. Behind a CONNECT or a request to upgrade, which is never granted here, the codec
/// reads no further request, so that one is the last too.
final class KeepAliveHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let isLast = Self.isLast(head)
        let needsHost = head.version == .http1_0 && !head.headers.contains(name: "host")
        guard isLast || needsHost else { return context.fireChannelRead(data) }
        if isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
        if needsHost { head.headers.add(name: "host", value: "localhost") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private static func isLast(_ head: HTTPRequestHead) -> Bool {
        !head.isKeepAlive || head.method == .CONNECT || head.headers.contains(name: "upgrade")
    }
}
