// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Holds a connection's first bytes until they show which protocol it speaks, then makes way for that protocol.
final class ProtocolDetectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Adds the handlers of a protocol behind this one.
    typealias Install = (HTTPPreface.Verdict) throws -> MeteredChannel.Negotiated

    private let promise: EventLoopPromise<MeteredChannel.Negotiated>
    /// Counts a connection that ends undecided.
    private let meter: ConnectionMeter?
    private let install: Install
    private var held = ByteBuffer()
    private var isDecided = false
    private var timeoutTask: Scheduled<Void>?

    var negotiated: EventLoopFuture<MeteredChannel.Negotiated> { promise.futureResult }

    init(eventLoop: any EventLoop, meter: ConnectionMeter?, install: @escaping Install) {
        promise = eventLoop.makePromise()
        self.meter = meter
        self.install = install
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let timeout = TimeAmount(MeteredHTTP1Channel.idleTimeout)
        timeoutTask = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timeoutTask?.cancel()
        // For a pipeline that is torn down before anything was decided.
        if !isDecided { promise.succeed(.nothing) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDecided else { return context.fireChannelRead(data) }
        var buffer = unwrapInboundIn(data)
        held.writeBuffer(&buffer)
        let verdict = HTTPPreface.verdict(on: held.readableBytesView)
        if verdict != .undecided { decide(verdict, in: context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if !isDecided {
            switch event {
            case is ChannelShouldQuiesceEvent: return context.close(promise: nil)
            // A partial preface is an HTTP/1.1 request that breaks off.
            case ChannelEvent.inputClosed: return decide(.http1, in: context, before: event)
            default: break
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isDecided {
            isDecided = true
            promise.succeed(.nothing)
            meter?.connectionEnded(ConnectionEnd(sentByteCount: 0, unreadByteCount: Int64(held.readableBytes)))
        }
        context.fireChannelInactive()
    }

    private func decide(_ verdict: HTTPPreface.Verdict, in context: ChannelHandlerContext, before event: Any? = nil) {
        isDecided = true
        do {
            promise.succeed(try install(verdict))
        } catch {
            promise.fail(error)
            return context.close(promise: nil)
        }
        if held.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(held))
            context.fireChannelReadComplete()
        }
        if let event { context.fireUserInboundEventTriggered(event) }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
