// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTPTypes

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
        unwritten.whenNone { context.close(mode: mode, promise: promise) }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.timeout) { [unwritten] in unwritten.waitNoLonger() }
    }
}
