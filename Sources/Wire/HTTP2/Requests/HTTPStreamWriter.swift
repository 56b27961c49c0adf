// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHPACK

/// Writes a response to a stream of HTTP/2, at the pace of its client.
struct HTTPStreamWriter: ResponseBodyWriter {
    private let handler: NIOLoopBound<HTTPStreamHandler>
    private let eventLoop: any EventLoop

    init(_ handler: NIOLoopBound<HTTPStreamHandler>, on eventLoop: any EventLoop) {
        self.handler = handler
        self.eventLoop = eventLoop
    }

    /// Writes the whole response; a client that has gone gets no more of it.
    func write(_ response: Response, answering request: Request, in exchange: Exchange) async {
        guard !exchange.isReset else { return await perform { $0.fail() } }
        var (head, hasBody) = response.head(answering: request, in: exchange)
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

/// The body of a request on its way from a stream to the task that answers it.
///
/// Holds no more than the stream's window: the client is given room when the task takes a piece.
struct HTTPStreamBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let pieces: AsyncThrowingStream<ByteBuffer, any Error>
    /// Called with the size of each piece that was taken.
    let onTaken: @Sendable (_ byteCount: Int) -> Void

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var pieces: AsyncThrowingStream<ByteBuffer, any Error>.Iterator
        fileprivate let onTaken: @Sendable (_ byteCount: Int) -> Void

        mutating func next() async throws -> ByteBuffer? {
            guard let piece = try await pieces.next() else { return nil }
            onTaken(piece.readableBytes)
            return piece
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces.makeAsyncIterator(), onTaken: onTaken) }
}

extension HTTPRequest {
    /// Reads the head of a request, whose pseudo-header fields the codec has validated; `nil` for an impossible method.
    init?(_ headers: HPACKHeaders) {
        guard let method = headers.first(name: ":method").flatMap({ HTTPRequest.Method($0) }) else { return nil }
        self.init(
            method: method,
            scheme: headers.first(name: ":scheme"),
            authority: headers.first(name: ":authority") ?? headers.first(name: "host"),
            path: headers.first(name: ":path")
        )
        for (name, value, _) in headers where !name.hasPrefix(":") && name != "host" {
            guard let name = HTTPField.Name(name) else { continue }
            headerFields.append(HTTPField(name: name, value: value))
        }
    }
}

extension HPACKHeaders {
    /// The fields that HTTP/1.1 alone knows (RFC 9113 section 8.2.2).
    private static let connectionFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    /// Writes the head of a response.
    init(_ response: HTTPResponse) {
        self.init([(":status", String(response.status.code))])
        for field in response.headerFields where !Self.connectionFields.contains(field.name.canonicalName) {
            add(name: field.name.canonicalName, value: field.value)
        }
    }
}
