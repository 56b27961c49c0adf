// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
package import NIOCore
import NIOHTTP1
import NIOPosix

/// The answer to a request of our own.
package struct HTTPAnswer: Sendable {
    package let status: Int
    package let body: [UInt8]
}

/// Why a request of our own has no answer.
package enum OutgoingCallError: Error {
    /// The URL is not one of plain HTTP.
    case badURL
    /// There was no whole answer in time.
    case timedOut
    /// The answer is longer than is read.
    case tooLong
    /// The connection could not be made, or ended.
    case failed(any Error)

    /// Whether the time ran out.
    package var isTimeout: Bool { if case .timedOut = self { true } else { false } }
}

/// Sends a request to a service of the developer's machine, such as a function.
package enum OutgoingCall {
    /// The longest answer that is read where the caller names no other.
    package static let bodyByteCountMax = 1 << 20

    /// Sends a body, over a connection of its own.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - contentType: Its media type.
    ///   - url: The address, of plain HTTP.
    ///   - timeout: The time until the answer is there.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``OutgoingCallError``.
    package static func send(
        _ body: String,
        contentType: String,
        to url: String,
        timeout: TimeAmount
    ) async throws(OutgoingCallError) -> HTTPAnswer {
        try await send(ByteBuffer(string: body), headers: ["Content-Type": contentType], to: url, timeout: timeout)
    }

    /// Sends a body with header fields of the caller's, over a connection of its own.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - headers: The fields but for those of the connection: its host, its length and its end.
    ///   - method: The method.
    ///   - url: The address, of plain HTTP.
    ///   - timeout: The time until the answer is there.
    ///   - answerByteCountMax: The longest answer that is read.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``OutgoingCallError``.
    package static func send(
        _ body: [UInt8] = [],
        headers: [(name: String, value: String)] = [],
        method: String = "POST",
        to url: String,
        timeout: Duration,
        answerByteCountMax: Int = bodyByteCountMax
    ) async throws(OutgoingCallError) -> HTTPAnswer {
        try await send(
            ByteBuffer(bytes: body),
            headers: HTTPHeaders(headers.map { ($0.name, $0.value) }),
            method: HTTPMethod(rawValue: method),
            to: url,
            timeout: TimeAmount(timeout),
            answerByteCountMax: answerByteCountMax
        )
    }

    /// Whether a URL is one of plain HTTP that leads somewhere.
    package static func canSend(to url: String) -> Bool { HTTPAddress(url) != nil }

    private static func send(
        _ body: ByteBuffer,
        headers: HTTPHeaders,
        method: HTTPMethod = .POST,
        to url: String,
        timeout: TimeAmount,
        answerByteCountMax: Int = bodyByteCountMax
    ) async throws(OutgoingCallError) -> HTTPAnswer {
        guard let target = HTTPAddress(url) else { throw .badURL }
        var head = HTTPRequestHead(version: .http1_1, method: method, uri: target.path, headers: headers)
        head.headers.replaceOrAdd(name: "Host", value: target.authority)
        head.headers.replaceOrAdd(name: "Content-Length", value: String(body.readableBytes))
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = eventLoop.makePromise(of: HTTPAnswer.self)
        let deadline = eventLoop.scheduleTask(in: timeout) { answer.fail(OutgoingCallError.timedOut) }
        answer.futureResult.whenComplete { _ in deadline.cancel() }
        ClientBootstrap(group: eventLoop)
            .connectTimeout(timeout)
            .channelInitializer { channel in
                answer.futureResult.whenComplete { _ in channel.close(promise: nil) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                }
            }
            .connect(host: target.host, port: target.port)
            // On the event loop, as a server waits for the request however busy this process is.
            .flatMapThrowing { [head] channel in
                try channel.pipeline.syncOperations.addHandler(
                    AnswerCollector(answer, byteCountMax: answerByteCountMax)
                )
                channel.write(HTTPClientRequestPart.head(head), promise: nil)
                channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
                channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
            }
            .whenFailure { answer.fail(OutgoingCallError.failed($0)) }
        do {
            return try await withTaskCancellationHandler {
                try await answer.futureResult.get()
            } onCancel: {
                answer.fail(CancellationError())
            }
        } catch {
            throw (error as? OutgoingCallError) ?? .failed(error)
        }
    }
}

/// Where a URL of plain HTTP leads.
struct HTTPAddress: Sendable, Equatable {
    let host: String
    let port: Int
    /// With the query.
    let path: String

    var authority: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Returns `nil` for another URL.
    init?(_ url: String) {
        let scheme = "http://"
        guard url.lowercased().hasPrefix(scheme) else { return nil }
        let rest = url.dropFirst(scheme.count).prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest.dropFirst(authority.count)
        let end = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[end...].lastIndex(of: ":") {
            guard let port = Int(authority[authority.index(after: colon)...]), (1...65_535).contains(port) else {
                return nil
            }
            self.port = port
            host = String(authority[..<colon].filter { $0 != "[" && $0 != "]" })
        } else {
            port = 80
            host = String(authority.filter { $0 != "[" && $0 != "]" })
        }
        self.path = path.hasPrefix("/") ? String(path) : "/" + path
        guard !host.isEmpty, !host.contains("@") else { return nil }
    }
}

/// Collects an answer.
// Unchecked because its state is touched on the event loop of its channel only.
private final class AnswerCollector: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = HTTPClientResponsePart

    private let answer: EventLoopPromise<HTTPAnswer>
    private let byteCountMax: Int
    private var status = 0
    private var body: [UInt8] = []

    init(_ answer: EventLoopPromise<HTTPAnswer>, byteCountMax: Int) {
        (self.answer, self.byteCountMax) = (answer, byteCountMax)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): status = Int(head.status.code)
        case .body(let bytes):
            guard body.count + bytes.readableBytes <= byteCountMax else {
                return answer.fail(OutgoingCallError.tooLong)
            }
            body += bytes.readableBytesView
        case .end: answer.succeed(HTTPAnswer(status: status, body: body))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { answer.fail(OutgoingCallError.failed(error)) }

    func channelInactive(context: ChannelHandlerContext) {
        // Nothing happens where the answer is whole.
        answer.fail(OutgoingCallError.failed(ChannelError.eof))
    }
}
