// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Metering
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Answers one stream of HTTP/2 through the service that answers HTTP/1.1, in a task of its own.
///
///     stream ─ head, DATA ─▶ Request ─▶ WireService ─▶ Response ─ HTTPStreamWriter ─▶ stream
final class HTTPStreamHandler: WireStreamHandler {
    private let stream: WireStream
    private let streams: HTTPStreams
    private let received = AsyncThrowingStream.makeStream(of: ByteBuffer.self)
    private var task: Task<Void, Never>?
    /// Waits for room for more of the answer.
    private var writer: EventLoopPromise<Void>?
    private var isClosed = false

    init(_ stream: WireStream, streams: HTTPStreams) {
        self.stream = stream
        self.streams = streams
    }

    // MARK: The request

    func received(_ headers: HPACKHeaders, endsRequest: Bool) {
        // Trailer fields say nothing that a service reads.
        if task == nil { begin(headers) }
        if endsRequest { received.continuation.finish() }
    }

    private func begin(_ headers: HPACKHeaders) {
        _ = stream.began(
            method: headers.first(name: ":method") ?? "",
            authorization: headers.first(name: "authorization"),
            client: headers.first(name: "x-goog-api-client") ?? headers.first(name: "user-agent"),
            tag: headers.first(name: UsageAttribution.tagField),
            target: headers.first(name: ":path")
        )
        guard let head = HTTPRequest(headers) else { return stream.reset(.protocolError) }
        if head.headerFields[.expect]?.lowercased() == "100-continue" {
            stream.write([":status": "100"])
            stream.flush()
        }
        let loop = stream.connection.eventLoop
        let bound = NIOLoopBound(self, eventLoop: loop)
        stream.exchange.pushes(through: HTTP2Pusher(self, on: loop))
        let body = HTTPStreamBody(pieces: received.stream) { byteCount in
            loop.execute { bound.value.stream.consumed(byteCount) }
        }
        let request = Request(head: head, body: RequestBody(asyncSequence: body))
        let writer = HTTPStreamWriter(bound, on: loop)
        streams.running.began()
        task = Task { [streams, exchange = stream.exchange] in
            await writer.write(await streams.respond(to: request, in: exchange), answering: request, in: exchange)
            streams.running.ended()
        }
    }

    func received(_ data: ByteBuffer, endsRequest: Bool) {
        received.continuation.yield(data)
        if endsRequest { received.continuation.finish() }
    }

    func readCompleted(atOnce: Bool) -> ReadWork { .none }

    // MARK: The answer

    /// Writes the head of the answer, which is all of it if it `isWhole`.
    func write(_ head: HTTPResponse, isWhole: Bool) {
        stream.answered(status: head.status.code)
        if isWhole { stream.writeEnd(HPACKHeaders(head)) } else { stream.write(HPACKHeaders(head)) }
        stream.flush()
    }

    /// Writes a part of the body; the future succeeds when there is room for more.
    func write(_ data: ByteBuffer) -> EventLoopFuture<Void> {
        let loop = stream.connection.eventLoop
        guard !isClosed else { return loop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
        do {
            try stream.hold(data.readableBytes)
        } catch {
            return loop.makeFailedFuture(error)
        }
        stream.write(data, isWatched: true)
        stream.flush()
        guard stream.unwrittenByteCount > HTTP2Limits.outboundByteCountLow else {
            return loop.makeSucceededVoidFuture()
        }
        let promise = loop.makePromise(of: Void.self)
        writer = promise
        return promise.futureResult
    }

    func writeEnd() {
        stream.exchange.answered()
        stream.writeEnd()
        stream.flush()
    }

    /// Ends an answer that cannot be finished.
    func fail() { stream.reset(.internalError) }

    func mayWriteAgain() {
        writer?.succeed()
        writer = nil
    }

    // MARK: The end

    func serverStops() {}

    func graceEnded() { stream.reset(.cancel) }

    func closed() {
        isClosed = true
        received.continuation.finish(throwing: RequestBodyError.broken)
        stream.exchange.clientGone()
        task?.cancel()
        writer?.fail(ChannelError.ioOnClosedChannel)
        writer = nil
    }
}

/// Writes what is pushed to a stream of HTTP/2.
private final class HTTP2Pusher: AnswerPushing {
    private struct State {
        let handler: HTTPStreamHandler
        /// Succeeds when there is room for more.
        var room: EventLoopFuture<Void>
    }

    let queue: PushQueue
    private let state: NIOLoopBoundBox<State>

    /// Called on the event loop.
    init(_ handler: HTTPStreamHandler, on eventLoop: any EventLoop) {
        queue = PushQueue.of(eventLoop)
        let room = eventLoop.makeSucceededVoidFuture()
        state = NIOLoopBoundBox(State(handler: handler, room: room), eventLoop: eventLoop)
    }

    func framed(_ data: consuming ByteBuffer) -> ByteBuffer { data }

    func write(_ bytes: ByteBuffer, bodyByteCount: Int) { state.value.room = state.value.handler.write(bytes) }

    func awaitRoom(for part: any PushedPart) {
        let handler = state.value.handler
        state.value.room.assumeIsolated().whenComplete { result in
            if case .success = result { part.written() } else { handler.fail() }
        }
    }
}

/// Answers streams of HTTP/2 as requests over HTTP/1.1 are answered.
struct HTTPStreams: Sendable {
    let service: any WireService
    let running: RunningWork

    /// Begins to answer a stream; called on its event loop.
    func open(_ stream: WireStream) -> any WireStreamHandler { HTTPStreamHandler(stream, streams: self) }

    /// Returns the response to a request that was read off a stream.
    func respond(to request: Request, in exchange: Exchange) async -> Response {
        if let refusal = service.refusal(of: request, in: exchange) { return refusal }
        return await service.respond(to: request, exchange: exchange)
    }
}
