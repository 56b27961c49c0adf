// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore

/// Writes a response to a stream of HTTP/2, at the pace of its client.
struct HTTPStreamWriter: ResponseBodyWriter {
    private let handler: NIOLoopBound<HTTPStreamHandler>
    private let eventLoop: any EventLoop

    init(_ handler: NIOLoopBound<HTTPStreamHandler>, on eventLoop: any EventLoop) {
        self.handler = handler
        self.eventLoop = eventLoop
    }

    /// Writes the whole response; a client that has gone gets no more of it.
    func write(_ response: Response, answering request: Request, _ exchange: Exchange) async {
        guard !exchange.isReset else { return await perform { $0.fail() } }
        var (head, hasBody) = response.head(answering: request, exchange)
        if response.body.contentLength == 0 { hasBody = false }
        await perform { [head, hasBody] in $0.write(head, isWhole: !hasBody) }
        guard hasBody else { return }
        do {
            try await response.body.write(self)
        } catch {
            await perform { $0.fail() }
        }
    }

    func write(_ buffer: ByteBuffer) async throws {
        try await eventLoop.flatSubmit { [handler] in handler.value.write(buffer) }.get()
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {
        await perform { $0.writeEnd() }
    }

    private func perform(_ body: @escaping @Sendable (HTTPStreamHandler) -> Void) async {
        // The loop outlives its connections.
        try? await eventLoop.submit { [handler] in body(handler.value) }.get()
    }
}
