// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Accepts no connection for a moment when the system has no room for one more.
///
/// The connection that could not be accepted stays in the listening socket's queue, so the socket stays readable: without
/// a pause the event loop would try again without end.
final class AcceptPauseHandler: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    /// Descriptors may be free again after this.
    static let pause = TimeAmount.milliseconds(100)

    /// The process or the system is out of descriptors, or the kernel of memory (accept(2)); the client was faster.
    private static let passingErrors: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED]

    private var isPaused = false

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let number = (error as? IOError)?.errnoCode, Self.passingErrors.contains(number) else {
            return context.fireErrorCaught(error)
        }
        guard !isPaused, number != ECONNABORTED else { return }
        isPaused = true
        // Withholding reads is not enough: the one that has failed is still pending.
        setAutoRead(false, in: context)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in resume(context) }
    }

    func read(context: ChannelHandlerContext) {
        if !isPaused { context.read() }
    }

    private func resume(_ context: ChannelHandlerContext) {
        isPaused = false
        setAutoRead(true, in: context)
    }

    /// Reads no more, or reads now and from now on.
    private func setAutoRead(_ isOn: Bool, in context: ChannelHandlerContext) {
        // A channel that has closed by now accepts nothing anyway.
        try? context.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }
}
