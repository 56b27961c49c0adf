// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// Connects an accepted connection with another one to the same port, through a link.
enum LinkRelay {
    /// As much is taken from this process ahead of what the link has passed; a download that breaks off is charged it.
    private static let receiveBufferByteCount: ChannelOptions.Types.SocketOption.Value = 64 << 10

    /// Sets up the accepted connection; called on its event loop.
    static func setUp(_ accepted: any Channel, over link: NetworkLink) throws {
        let options = accepted.syncOptions
        try options?.setOption(.autoRead, value: false)
        try options?.setOption(.allowRemoteHalfClosure, value: true)
        // The client's handshake took no time.
        let outer = LinkEnd(link, .up, setUp: link.delay + link.delay)
        try accepted.pipeline.syncOperations.addHandler(outer)
        guard let port = accepted.localAddress else { return accepted.close(promise: nil) }
        let inner = LinkEnd(link, .down)
        let client = accepted.remoteAddress?.ipAddress ?? ""
        let ends = NIOLoopBound((outer, inner), eventLoop: accepted.eventLoop)
        connect(to: port, for: client, link, inner: ends).whenComplete { result in
            switch result {
            case .success: LinkEnd.join(ends.value.0, ends.value.1)
            case .failure: accepted.close(promise: nil)
            }
        }
    }

    private static func connect(
        to port: SocketAddress,
        for client: String,
        _ link: NetworkLink,
        inner: NIOLoopBound<(LinkEnd, LinkEnd)>
    ) -> EventLoopFuture<any Channel> {
        // From the same address, on which this process may be the only one that is reached.
        var anyPort = port
        anyPort.port = 0
        return ClientBootstrap(group: inner.eventLoop)
            .bind(to: anyPort)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.socketOption(.so_rcvbuf), value: receiveBufferByteCount)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handlers: [any ChannelHandler] = [ClientNote(link, client: client), inner.value.1]
                    try channel.pipeline.syncOperations.addHandlers(handlers)
                }
            }
            .connect(to: port)
    }
}

/// Notes whose connection this is, before the port accepts it.
private final class ClientNote: ChannelOutboundHandler {
    typealias OutboundIn = Any

    private let link: NetworkLink
    private let client: String

    init(_ link: NetworkLink, client: String) { (self.link, self.client) = (link, client) }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        guard let local = context.localAddress else {
            promise?.fail(ChannelError.unknownLocalAddress)
            return
        }
        link.willConnect(from: local, for: client)
        let connected = promise ?? context.eventLoop.makePromise()
        connected.futureResult.whenFailure { [link] _ in link.didNotConnect(from: local) }
        context.connect(to: address, promise: connected)
    }
}
