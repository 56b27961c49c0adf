// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Answers a request that does not become a WebSocket, and closes; closes connections that ask for nothing, too.
final class PlainRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    static let name = "PlainRequestHandler"
    /// A request must be complete by then.
    private static let timeout = TimeAmount.seconds(10)

    private let admission: WebSocketAdmission
    private var head: HTTPRequestHead?
    private var deadline: Scheduled<Void>?

    init(admission: WebSocketAdmission) { self.admission = admission }

    func handlerAdded(context: ChannelHandlerContext) {
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.timeout) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let new): head = new
        case .body: return
        case .end:
            guard let head else { return }
            self.head = nil
            write(admission.answer(to: head), context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A handshake that is refused is answered as a request.
        if !(error is NIOWebSocketUpgradeError) { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is WebSocketClients.Stop else { return context.fireUserInboundEventTriggered(event) }
        context.close(promise: nil)
    }

    private func write(_ answer: WebSocketAdmission.Refusal, _ context: ChannelHandlerContext) {
        let body = ByteBuffer(string: answer.text)
        let headers: HTTPHeaders = [
            "Content-Type": "text/plain; charset=utf-8", "Content-Length": "\(body.readableBytes)",
            "Connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let closed = context.eventLoop.makePromise(of: Void.self)
        closed.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: closed)
    }
}
