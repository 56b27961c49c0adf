// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JSONWriting
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
            if let refusal { return write(refusal, context, promise) }
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
    private func write(_ refusal: HeadRefusal, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
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
