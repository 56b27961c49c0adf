// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTPTypes

/// Keeps a request from being answered twice.
///
/// When a body breaks off after its request was refused, the server would answer the broken input with a 400 of its own.
final class AnswerOnceHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var unansweredCount = 0
    private var isReadingRequest = false
    private var isDropping = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            unansweredCount += 1
            isReadingRequest = true
        case .body: break
        case .end: isReadingRequest = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        if case .head = part, unansweredCount == 0, isReadingRequest { isDropping = true }
        if isDropping {
            promise?.succeed()
        } else {
            context.write(data, promise: promise)
        }
        guard case .end = part else { return }
        if !isDropping { unansweredCount = max(0, unansweredCount - 1) }
        isDropping = false
    }
}
