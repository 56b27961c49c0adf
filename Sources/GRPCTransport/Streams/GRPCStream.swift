// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP2
import Wire

/// One call, between the handler's task and the connection's event loop.
///
///     event loop ── push, end ──▶ inbound queue ── next ──▶ handler
///                ◀── takeOutbound ── outbound queue ◀── write ──
final class GRPCStream: StreamWork {
    private struct State {
        var inbound: InboundQueue
        var outbound: OutboundQueue
        var task: Task<Void, Never>?
        var cancellation: ServerContext.RPCCancellationHandle?
        var isCancelled = false
        var writerCount: UInt64 = 0
        var todo = LoopWork()
        /// Holds what the message that the handler works on takes unpacked, if it came compressed.
        var unpacked: ByteReservation?
        /// Bytes of messages as the event loop last knew them.
        var knownByteCount = 0

        /// Whether enough has been taken since the event loop last looked that it has to give memory back.
        mutating func hasFreedMuch() -> Bool {
            guard knownByteCount - inbound.heldByteCount > MemoryLimits.spareByteCount else { return false }
            knownByteCount = inbound.heldByteCount
            todo.givesBackMemory = true
            return true
        }

        /// Waits for the next part unless it has come meanwhile, or the task was cancelled.
        mutating func wait(_ waiter: InboundQueue.Waiter) -> InboundQueue.Delivery? {
            if Task.isCancelled { return .failure(CancellationError()) }
            return inbound.wait(waiter)
        }
    }

    /// The reasons to call the event loop, besides writing.
    struct LoopWork {
        /// There is room for more of the request.
        var readsOn = false
        /// The handler is done with a large message.
        var givesBackMemory = false
        /// The call is over, and if it has no status the stream is reset with this code.
        var resetCode: HTTP2ErrorCode?
    }

    private let state: NIOLockedValueBox<State>
    private let connection: StreamConnection
    private let handler: NIOLoopBound<GRPCStreamHandler>
    private let codec: MessageCodec

    init(
        _ metadata: Metadata,
        hasOneMessage: Bool,
        codec: MessageCodec,
        connection: StreamConnection,
        handler: GRPCStreamHandler
    ) {
        state = NIOLockedValueBox(
            State(
                inbound: InboundQueue(metadata: metadata),
                outbound: OutboundQueue(hasOneMessage: hasOneMessage)
            )
        )
        self.connection = connection
        self.handler = NIOLoopBound(handler, eventLoop: connection.eventLoop)
        self.codec = codec
    }

    func performOnEventLoop() {
        let work = state.withLockedValue { state in
            state.outbound.drainBegan()
            defer {
                state.todo.readsOn = false
                state.todo.givesBackMemory = false
            }
            return state.todo
        }
        handler.value.perform(work)
    }
}

// MARK: The event loop's side

extension GRPCStream {
    func push(_ message: MessageReader.Message) {
        resume(state.withLockedValue { $0.inbound.push(message) })
    }

    func endInbound(throwing error: (any Error)? = nil) {
        resume(state.withLockedValue { $0.inbound.end(throwing: error) })
    }

    /// Bytes of messages that wait for the handler, or that it works on.
    func heldByteCount() -> Int {
        state.withLockedValue { state in
            state.knownByteCount = state.inbound.heldByteCount
            return state.knownByteCount
        }
    }

    func mayRead() -> Bool { state.withLockedValue { $0.inbound.mayRead() } }

    func takeOutbound() -> OutboundQueue.Part? {
        guard let taken = state.withLockedValue({ $0.outbound.take() }) else { return nil }
        for writer in taken.writers { writer.resume(returning: nil) }
        return taken.part
    }

    func started(_ task: Task<Void, Never>) {
        let isCancelled = state.withLockedValue { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Informs the handler that its answer is not wanted, as far as it asks.
    func signalCancellation() {
        state.withLockedValue { $0.cancellation }?.cancel()
    }

    /// Ends the call for the handler: what it reads and writes from now on throws `error`, and its task is cancelled.
    func cancel(_ error: any Error) {
        let (delivery, writers, task, cancellation) = state.withLockedValue { state in
            state.isCancelled = true
            return (
                state.inbound.end(throwing: error), state.outbound.fail(error), state.task, state.cancellation
            )
        }
        resume(delivery)
        for writer in writers { writer.resume(returning: error) }
        cancellation?.cancel()
        task?.cancel()
    }

    private func resume(_ delivery: (waiter: InboundQueue.Waiter, delivery: InboundQueue.Delivery)?) {
        delivery?.waiter.resume(returning: delivery?.delivery ?? .end)
    }
}

// MARK: The handler's side

extension GRPCStream {
    /// Makes the handle's cancellation follow the call's.
    func attach(_ cancellation: ServerContext.RPCCancellationHandle) {
        let isCancelled = state.withLockedValue { state in
            state.cancellation = cancellation
            return state.isCancelled
        }
        if isCancelled { cancellation.cancel() }
    }

    /// Returns the next part of the request; `nil` at its end.
    func next() async throws -> RPCRequestPart<GRPCBytes>? {
        state.withLockedValue { $0.unpacked = nil }
        let delivery: InboundQueue.Delivery
        if let taken = take() {
            delivery = taken
        } else {
            delivery = await waitForPart()
        }
        switch delivery {
        case .part(.metadata(let metadata)): return .metadata(metadata)
        case .part(.message(let message)): return .message(try unpacked(message))
        case .end: return nil
        case .failure(let error): throw error
        }
    }

    /// A message, whose memory is held until the handler asks for the next: it drops the bytes when it has read them.
    private func unpacked(_ message: MessageReader.Message) throws -> GRPCBytes {
        let bytes = try codec.bytes(of: message)
        if let memory = bytes.memory { state.withLockedValue { $0.unpacked = memory } }
        return bytes
    }

    private func take() -> InboundQueue.Delivery? {
        let (taken, callsLoop) = state.withLockedValue { state in
            let taken = state.inbound.take()
            if taken?.readsOn == true { state.todo.readsOn = true }
            return (taken, state.hasFreedMuch() || taken?.readsOn == true)
        }
        if callsLoop { connection.perform(self) }
        return taken?.delivery
    }

    private func waitForPart() async -> InboundQueue.Delivery {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let delivery = take() ?? state.withLockedValue { $0.wait(continuation) }
                if let delivery { continuation.resume(returning: delivery) }
            }
        } onCancel: {
            state.withLockedValue { $0.inbound.takeWaiter() }?.resume(returning: .failure(CancellationError()))
        }
    }

    /// Takes parts of the response; waits while the client is slow.
    ///
    /// They are held meanwhile, so that what does not fit into the connection's memory is refused.
    func write(contentsOf parts: [RPCResponsePart<GRPCBytes>]) async throws {
        let memory = try memory(forBytes: parts.reduce(0) { $0 + $1.byteCount })
        defer { memory?.giveBack() }
        for part in parts { try await enqueue(part) }
    }

    private func memory(forBytes byteCount: Int) throws -> ByteReservation? {
        guard byteCount > MemoryLimits.spareByteCount else { return nil }
        let memory = ByteReservation(of: connection.budget)
        do {
            try memory.hold(byteCount)
        } catch {
            throw RPCError.memoryExceeded(error)
        }
        return memory
    }

    /// Takes a part of the response; waits while the client is slow.
    func write(_ part: RPCResponsePart<GRPCBytes>) async throws {
        let memory = try memory(forBytes: part.byteCount)
        defer { memory?.giveBack() }
        try await enqueue(part)
    }

    private func enqueue(_ part: RPCResponsePart<GRPCBytes>) async throws {
        let part: OutboundQueue.Part =
            switch part {
            case .metadata(let metadata): .metadata(metadata)
            case .message(let bytes): .message(try codec.frame(of: bytes))
            case .status(let status, let metadata): .status(status, metadata)
            }
        let (callsLoop, mustWait) = try state.withLockedValue { state in
            (try state.outbound.push(part), state.outbound.mustWait)
        }
        if callsLoop { connection.perform(self) }
        if mustWait { try await waitForRoom() }
    }

    private func waitForRoom() async throws {
        let id = state.withLockedValue { state in
            state.writerCount += 1
            return state.writerCount
        }
        let error = await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: OutboundQueue.Writer) in
                let waits = state.withLockedValue { state in
                    !Task.isCancelled && state.outbound.wait(id, continuation: continuation)
                }
                if !waits { continuation.resume(returning: nil) }
            }
        } onCancel: {
            state.withLockedValue { $0.outbound.takeWriter(id) }?.resume(returning: CancellationError())
        }
        if let error { throw error }
    }

    /// The handler has returned or given up; without a status the stream is reset.
    func handlerEnded(resetCode: HTTP2ErrorCode = .internalError) {
        let isUnanswered = state.withLockedValue { state in
            state.task = nil
            state.inbound.handlerEnded()
            state.unpacked = nil
            state.todo.resetCode = state.todo.resetCode ?? resetCode
            return !state.outbound.hasEnded
        }
        if isUnanswered { connection.perform(self) }
    }
}

extension RPCResponsePart<GRPCBytes> {
    fileprivate var byteCount: Int {
        guard case .message(let bytes) = self else { return 0 }
        return bytes.count
    }
}
