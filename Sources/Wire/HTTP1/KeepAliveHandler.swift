// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

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
