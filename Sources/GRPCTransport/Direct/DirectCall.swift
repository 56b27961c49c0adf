// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOConcurrencyHelpers
import NIOCore
import Wire

/// One call of a direct method.
///
///     event loop ── run ──▶ thread: handler, then messages up to a limit ── perform ──▶ event loop: writes
///                   ▲                                                                      │
///                   └────────────────────── run, when there is room ◀──────────────────────┘
final class DirectCall: BlockingWork, BatchedWork {
    /// What a thread has made, for the event loop to write.
    struct Output {
        /// Messages, one behind the other.
        var messages: ByteBuffer?
        /// Set when no more will come.
        var end: (status: Status, metadata: Metadata)?
    }

    private enum Step {
        case respond(MessageReader.Message)
        case produce(Producer)
    }

    /// How far a step came.
    private enum Progress {
        case ended
        /// More can be produced when the client has taken this.
        case more(Producer)
        case waits(@Sendable () async throws -> GRPCBytes)
    }

    private struct State {
        var step: Step?
        var output = Output()
        var isCancelled = false
        /// Waits for the answer.
        var task: Task<Void, Never>?
    }

    private let method: DirectMethod
    /// What the handler is expected to take.
    let weight: DirectMethod.Weight
    private let call: GRPCCall
    private let codec: MessageCodec
    private let connection: StreamConnection
    private let executor: BlockingExecutor
    private let running: RunningCalls
    private let handler: NIOLoopBound<GRPCStreamHandler>
    private let state: NIOLockedValueBox<State>

    init(
        _ method: DirectMethod,
        _ request: MessageReader.Message,
        call: GRPCCall,
        codec: MessageCodec,
        executor: BlockingExecutor,
        running: RunningCalls,
        connection: StreamConnection,
        handler: GRPCStreamHandler
    ) {
        self.method = method
        weight = request.isCompressed ? .heavy : method.weight(GRPCBytes(frame: request.frame))
        self.executor = executor
        self.running = running
        self.call = call
        self.codec = codec
        self.connection = connection
        self.handler = NIOLoopBound(handler, eventLoop: connection.eventLoop)
        state = NIOLockedValueBox(State(step: .respond(request)))
    }

    /// Nobody wants the answer.
    func cancel() {
        let task = state.withLockedValue { state in
            state.isCancelled = true
            state.step = nil
            return state.task
        }
        task?.cancel()
    }

    // MARK: On a thread of the executor

    func performBlocking() {
        if takeStep() { connection.perform(self) }
    }

    func performInBatch() -> Bool { takeStep() }

    /// Takes the next step; returns whether there is something to write.
    private func takeStep() -> Bool {
        running.began()
        defer { running.ended() }
        let step = state.withLockedValue { state in
            defer { state.step = nil }
            return state.step
        }
        guard let step else { return false }
        var output = Output()
        do {
            switch try take(step, into: &output) {
            case .ended: output.end = Self.success
            case .more(let producer): return hand(over: output, next: .produce(producer))
            case .waits(let answer):
                wait(for: answer)
                return false
            }
        } catch {
            output.end = Self.failure(error)
        }
        return hand(over: output)
    }

    private func take(_ step: Step, into output: inout Output) throws -> Progress {
        switch step {
        case .respond(let message):
            switch try method.handler(try codec.bytes(of: message), call) {
            case .message(let bytes):
                output.messages = try codec.frame(of: bytes)
                return .ended
            case .later(let answer):
                return .waits(answer)
            case .messages(let next):
                return try produce(Producer(next), into: &output)
            }
        case .produce(let producer):
            return try produce(producer, into: &output)
        }
    }

    private func produce(_ producer: Producer, into output: inout Output) throws -> Progress {
        var messages = ByteBuffer()
        defer { if messages.readableBytes > 0 { output.messages = messages } }
        while messages.readableBytes < GRPCLimits.outboundByteCountHigh {
            guard let bytes = try producer.next() else { return .ended }
            messages.writeImmutableBuffer(try codec.frame(of: bytes))
        }
        return .more(producer)
    }

    private func wait(for answer: @escaping @Sendable () async throws -> GRPCBytes) {
        running.began()
        let task = Task(executorPreference: executor) { [self] in
            defer { running.ended() }
            var output = Output()
            do {
                output.messages = try codec.frame(of: await answer())
                output.end = Self.success
            } catch {
                output.end = Self.failure(error)
            }
            if hand(over: output) { connection.perform(self) }
        }
        let isCancelled = state.withLockedValue { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    private static let success = (Status(code: .ok, message: ""), Metadata())

    private static func failure(_ error: any Error) -> (Status, Metadata) {
        let error = RPCError(thrown: error)
        return (Status(code: Status.Code(error.code), message: error.message), error.metadata)
    }

    /// Leaves what was made to the event loop; returns whether it is wanted.
    private func hand(over output: Output, next: Step? = nil) -> Bool {
        state.withLockedValue { state in
            state.output = output
            if !state.isCancelled { state.step = next }
            return !state.isCancelled
        }
    }

    // MARK: On the event loop

    /// Does all of it here.
    func performAtOnce() {
        if takeStep() { performOnEventLoop() }
    }

    func performOnEventLoop() {
        let output = state.withLockedValue { state in
            defer { state.output = Output() }
            return state.output
        }
        handler.value.write(output)
    }
}

/// Makes the messages of a stream.
// Unchecked because a call hands it from one thread to the next under a lock, and keeps it nowhere else.
private final class Producer: @unchecked Sendable {
    let next: () throws -> GRPCBytes?

    init(_ next: @escaping () throws -> GRPCBytes?) {
        self.next = next
    }
}
