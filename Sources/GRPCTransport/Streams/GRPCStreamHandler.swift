// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOCore
import NIOHPACK
import NIOHTTP2
import Wire

/// Speaks gRPC on one HTTP/2 stream; it lives on the connection's event loop.
final class GRPCStreamHandler: WireStreamHandler {
    /// What answers the call.
    private enum Call {
        /// The head has not come, or was refused.
        case none
        /// Answered by a plain function when the request has come.
        case expecting(DirectMethod, GRPCCall, MessageCodec, MessageReader.Message?)
        case direct(DirectCall)
        /// Answered by a handler of the router, whose task begins when all frames at hand have been read.
        case prepared(GRPCStream, MethodDescriptor, GRPCCall)
        case routed(GRPCStream)
    }

    private let wire: WireStream
    private let calls: GRPCCalls
    private var reader: MessageReader
    private var call = Call.none
    private var responseEncoding = MessageEncoding.identity
    private var deadline: Scheduled<Void>?
    /// Bytes read that the client may not replace before the handler has taken messages.
    private var heldByteCount = 0
    private var headSent = false
    private var isAnswered = false

    init(wire: WireStream, calls: GRPCCalls) {
        self.wire = wire
        self.calls = calls
        reader = MessageReader(byteCountMax: calls.limits.messageByteCountMax)
    }

    // MARK: Request

    func received(_ headers: HPACKHeaders, endsRequest: Bool) {
        if case .none = call, !isAnswered { begin(headers) }
        if endsRequest { endRequest() }
    }

    private func begin(_ headers: HPACKHeaders) {
        let fields = RequestFields(headers)
        let caller = wire.began(method: fields.method, authorization: fields.authorization, client: fields.client)
        do throws(RequestRefusal) {
            let head = try RequestHead(fields)
            responseEncoding = head.responseEncoding
            call = makeCall(head, caller)
            if let timeout = head.timeout { schedule(timeout) }
        } catch {
            finish(with: error.headers, httpStatus: error.httpStatus)
        }
    }

    private func makeCall(_ head: RequestHead, _ caller: Caller) -> Call {
        let metered = GRPCCall(
            exchange: wire.exchange,
            caller: caller,
            metadata: head.metadata,
            deadline: head.timeout.map { ContinuousClock.now + $0 }
        )
        let codec = MessageCodec(
            encoding: head.encoding,
            responseEncoding: head.responseEncoding,
            byteCountMax: calls.limits.messageByteCountMax
        )
        switch calls.methods.method(ofPath: head.path) {
        case .direct(let method):
            return .expecting(method, metered, codec, nil)
        case .routed(let descriptor):
            let stream = GRPCStream(
                head.metadata,
                hasOneMessage: descriptor.type?.isResponseStreaming == false,
                codec: codec,
                connection: wire.connection,
                handler: self
            )
            return .prepared(stream, descriptor, metered)
        }
    }

    private func schedule(_ timeout: Duration) {
        deadline = wire.connection.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) { [self] in
            end(with: .deadlineExceeded)
        }
    }

    func received(_ data: ByteBuffer, endsRequest: Bool) {
        guard !isAnswered else { return wire.consumed(data.readableBytes) }
        reader.append(data)
        do throws(RPCError) {
            while let message = try reader.next() { try take(message) }
        } catch {
            end(with: error)
        }
        heldByteCount += data.readableBytes
        if stream?.mayRead() ?? true { giveBack() }
        if endsRequest { endRequest() }
    }

    private func take(_ message: MessageReader.Message) throws(RPCError) {
        switch call {
        case .expecting(_, _, _, .some): throw .requestTooLong
        case .expecting(let method, let metered, let codec, nil):
            call = .expecting(method, metered, codec, message)
        case .prepared(let stream, _, _), .routed(let stream): stream.push(message)
        case .none, .direct: break
        }
    }

    private func giveBack() {
        wire.consumed(heldByteCount)
        heldByteCount = 0
    }

    private func endRequest() {
        guard !isAnswered else { return }
        if reader.isInsideMessage { return end(with: .messageCutOff) }
        switch call {
        case .expecting(_, _, _, nil): end(with: .requestEmpty)
        case .expecting(let method, let metered, let codec, .some(let message)):
            let direct = DirectCall(
                method,
                message,
                call: metered,
                codec: codec,
                connection: wire.connection,
                handler: self
            )
            call = .direct(direct)
            calls.executor.run(direct)
        case .prepared(let stream, _, _), .routed(let stream): stream.endInbound()
        case .none, .direct: break
        }
    }

    func readCompleted() {
        // Only now, so that the handler of a small request finds all of it.
        guard case .prepared(let stream, let descriptor, let metered) = call, !isAnswered else { return }
        call = .routed(stream)
        calls.start(stream, descriptor, metered, on: wire.connection)
    }

    private var stream: GRPCStream? {
        switch call {
        case .prepared(let stream, _, _), .routed(let stream): stream
        case .none, .expecting, .direct: nil
        }
    }

    // MARK: Response

    private var mayWrite: Bool { wire.unwrittenByteCount < GRPCLimits.outboundByteCountHigh }

    /// Does what the call's task has called the event loop for.
    func perform(_ work: GRPCStream.LoopWork) {
        if work.readsOn { giveBack() }
        drain()
        // With room left, all that the task has written is on its way.
        if let code = work.resetCode, mayWrite { reset(code) }
    }

    private func drain() {
        var messages: ByteBuffer?
        var hasWritten = false
        while !isAnswered, mayWrite, let part = stream?.takeOutbound() {
            hasWritten = true
            switch part {
            case .metadata(let metadata): writeHead(metadata)
            case .message(let frame): gather(frame, into: &messages)
            case .status(let status, let metadata):
                write(&messages)
                finish(with: status, metadata)
            }
        }
        write(&messages)
        if hasWritten { wire.flush() }
    }

    /// Puts messages that come together into one DATA frame.
    private func gather(_ frame: ByteBuffer, into messages: inout ByteBuffer?) {
        if messages == nil {
            messages = frame
        } else {
            messages?.writeImmutableBuffer(frame)
        }
        if let gathered = messages, gathered.readableBytes >= GRPCLimits.outboundByteCountLow { write(&messages) }
    }

    private func write(_ messages: inout ByteBuffer?) {
        guard let gathered = messages else { return }
        wire.write(gathered, isWatched: true)
        messages = nil
    }

    private func writeHead(_ metadata: Metadata) {
        headSent = true
        wire.answered(status: Status.Code.ok.httpStatus)
        wire.write(ResponseHeaders.head(metadata, encoding: responseEncoding))
    }

    /// Writes what a direct call has made, and lets it make more.
    func write(_ output: DirectCall.Output) {
        guard !isAnswered, case .direct(let direct) = call else { return }
        if !headSent, output.messages != nil || output.end == nil { writeHead([:]) }
        if let messages = output.messages { wire.write(messages, isWatched: output.end == nil) }
        if let (status, metadata) = output.end {
            finish(with: status, metadata)
        } else if mayWrite {
            calls.executor.run(direct)
        }
        wire.flush()
    }

    func mayWriteAgain() {
        switch call {
        // Not at once: the connection is in the middle of writing.
        case .prepared(let stream, _, _), .routed(let stream): wire.connection.perform(stream)
        case .direct(let direct): calls.executor.run(direct)
        case .none, .expecting: break
        }
    }

    // MARK: End

    func serverStops() { stream?.signalCancellation() }

    func graceEnded() { end(with: .serverStopping) }

    func closed() {
        deadline?.cancel()
        if isAnswered {
            stream?.endInbound(throwing: RPCError.callCancelled)
        } else {
            isAnswered = true
            cancelCall(.callCancelled)
        }
        call = .none
    }

    private func cancelCall(_ error: RPCError) {
        switch call {
        case .prepared(let stream, _, _), .routed(let stream): stream.cancel(error)
        case .direct(let direct): direct.cancel()
        case .none, .expecting: break
        }
    }

    /// Answers for the handler, whose call ends here.
    private func end(with error: RPCError) {
        guard !isAnswered else { return }
        // Before the answer, which may end the stream, and then this handler forgets the call.
        isAnswered = true
        cancelCall(error)
        finish(with: Status(code: Status.Code(error.code), message: error.message), [:])
        wire.flush()
    }

    private func finish(with status: Status, _ metadata: Metadata) {
        let headers =
            headSent
            ? ResponseHeaders.trailers(status, metadata) : ResponseHeaders.withoutMessages(status, metadata)
        finish(with: headers, httpStatus: status.code.httpStatus)
    }

    private func finish(with headers: HPACKHeaders, httpStatus: Int) {
        isAnswered = true
        deadline?.cancel()
        wire.answered(status: httpStatus)
        wire.writeEnd(headers)
        wire.flush()
    }

    private func reset(_ code: HTTP2ErrorCode) {
        guard !isAnswered else { return }
        isAnswered = true
        deadline?.cancel()
        wire.reset(code)
    }
}
