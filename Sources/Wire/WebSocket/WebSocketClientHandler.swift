// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOWebSocket

/// A client of a WebSocket: it is sent texts, and its own are ignored.
final class WebSocketClientHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// Of frames that are ignored.
    static let receivedFrameByteCountMax = 1 << 16

    private let source: WebSocketServer.Source
    private var outbox: WebSocketOutbox?
    private var isClosing = false

    init(source: @escaping WebSocketServer.Source) { self.source = source }

    func handlerAdded(context: ChannelHandlerContext) {
        let outbox = WebSocketOutbox(channel: context.channel)
        self.outbox = outbox
        outbox.open(source)
    }

    func handlerRemoved(context: ChannelHandlerContext) { outbox?.close() }

    func channelInactive(context: ChannelHandlerContext) {
        outbox?.close()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard !isClosing else { return }
        // RFC 6455, section 5.1: a client masks all of its frames.
        guard frame.maskKey != nil else { return close(.protocolError, context) }
        switch frame.opcode {
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose:
            var data = frame.unmaskedData
            close(data.readWebSocketErrorCode(), context)
        default: return
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is WebSocketClients.Stop else { return context.fireUserInboundEventTriggered(event) }
        close(.goingAway, context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What breaks the protocol has been answered before it comes here.
        if !(error is NIOWebSocketError) { context.close(promise: nil) }
    }

    /// Says that it closes, with a code if there is one, and closes.
    private func close(_ code: WebSocketErrorCode?, _ context: ChannelHandlerContext) {
        isClosing = true
        outbox?.close()
        var data = ByteBuffer()
        if let code { data.write(webSocketErrorCode: code) }
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
        // A client that does not read must not keep the connection open.
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        context.close(promise: nil)
    }
}
