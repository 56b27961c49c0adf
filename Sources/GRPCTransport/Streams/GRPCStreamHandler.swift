// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOCore
import NIOHPACK
import NIOHTTP2
import Wire

/// Speaks gRPC on one HTTP/2 stream; it lives on the connection's event loop.
final class GRPCStreamHandler: WireStreamHandler {
    /// The handler of the call.
    enum Call {
        /// The head has not come, or was refused.
        case none
        /// Answered by a plain function when the request has come.
        case expecting(DirectMethod, GRPCCall)
        /// All of the request has come, but perhaps not of others that came with it.
        case ready(DirectMethod, GRPCCall, MessageReader.Message)
        case direct(DirectCall)
        /// Answered by a handler of the router, whose task begins when all frames at hand have been read.
        case prepared(GRPCStream, MethodDescriptor, GRPCCall)
        case routed(GRPCStream)
    }

    let wire: WireStream
    let calls: GRPCCalls
    var reader: MessageReader
    var call = Call.none
    var codec: MessageCodec
    /// The request of a call that expects one message.
    private var request: MessageReader.Message?
    private var memory: RequestMemory
    var deadline: Scheduled<Void>?
    /// Bytes read that the client may not replace before the handler has taken messages.
    var heldByteCount = 0
    var headSent = false
    var isAnswered = false

    init(wire: WireStream, calls: GRPCCalls) {
        self.wire = wire
        self.calls = calls
        reader = MessageReader(byteCountMax: calls.limits.messageByteCountMax)
        codec = MessageCodec(byteCountMax: calls.limits.messageByteCountMax, budget: wire.connection.budget)
        memory = RequestMemory(wire.memory)
    }

    // MARK: Request

    func received(_ headers: HPACKHeaders, endsRequest: Bool) {
        if case .none = call, !isAnswered { begin(headers) }
        if endsRequest { endRequest() }
    }

    private func begin(_ headers: HPACKHeaders) {
        let fields = RequestFields(headers)
        let caller = wire.began(
            method: fields.method,
            authorization: fields.authorization,
            client: fields.client,
            tag: fields.tag,
            target: fields.path
        )
        do throws(RequestRefusal) {
            let head = try RequestHead(fields)
            try memory.holdHead(ofByteCount: fields.byteCount)
            codec.encoding = head.encoding
            codec.responseEncoding = head.responseEncoding
            call = makeCall(head, caller: caller)
            if let timeout = head.timeout { schedule(timeout) }
        } catch {
            finish(with: error.headers, httpStatus: error.httpStatus)
        }
    }

    private func makeCall(_ head: RequestHead, caller: Caller) -> Call {
        let metered = GRPCCall(
            exchange: wire.exchange,
            caller: caller,
            deadline: head.timeout.map { ContinuousClock.now + $0 },
            connection: wire.connection,
            executor: calls.executor
        )
        switch calls.methods.method(ofPath: head.path) {
        case .direct(let method):
            return .expecting(method, metered)
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
            try memory.holdRequest(ofByteCount: requestByteCount)
        } catch {
            end(with: error)
        }
        heldByteCount += data.readableBytes
        if stream?.mayRead() ?? true { giveBack() }
        if endsRequest { endRequest() }
    }

    /// Bytes of the messages that have come, and of the one that has begun.
    private var requestByteCount: Int {
        (request?.frame.readableBytes ?? 0) + (stream?.heldByteCount() ?? 0) + reader.neededByteCount
    }

    /// The handler is done with messages.
    func giveBackMemory() {
        guard !isAnswered else { return }
        memory.shrinkRequest(toByteCount: requestByteCount)
    }

    /// The request is answered, or has been refused.
    func forgetRequest() {
        reader = MessageReader(byteCountMax: calls.limits.messageByteCountMax)
        request = nil
        memory.shrinkRequest(toByteCount: 0)
    }

    /// The call is over.
    func forget() {
        forgetRequest()
        memory.giveBack()
    }

    private func take(_ message: MessageReader.Message) throws(RPCError) {
        switch call {
        case .expecting:
            guard request == nil else { throw .requestTooLong }
            request = message
        case .prepared(let stream, _, _), .routed(let stream): stream.push(message)
        case .none, .ready, .direct: break
        }
    }

    func giveBack() {
        wire.consumed(heldByteCount)
        heldByteCount = 0
    }

    private func endRequest() {
        guard !isAnswered else { return }
        if reader.isInsideMessage { return end(with: .messageCutOff) }
        switch call {
        case .expecting(let method, let metered):
            guard let request else { return end(with: .requestEmpty) }
            self.request = nil
            call = .ready(method, metered, request)
        case .prepared(let stream, _, _), .routed(let stream): stream.endInbound()
        case .none, .ready, .direct: break
        }
    }

    func readCompleted(atOnce: Bool) -> ReadWork {
        guard !isAnswered else { return .none }
        switch call {
        case .ready(let method, let metered, let request):
            return answer(request, of: method, for: metered, atOnce: atOnce)
        case .prepared(let stream, let descriptor, let metered):
            // Only now, so that the handler of a small request finds all of it.
            call = .routed(stream)
            calls.start(stream, descriptor: descriptor, for: metered, on: wire.connection)
        case .none, .expecting, .direct, .routed: break
        }
        return .none
    }

    var stream: GRPCStream? {
        switch call {
        case .prepared(let stream, _, _), .routed(let stream): stream
        case .none, .expecting, .ready, .direct: nil
        }
    }
}
