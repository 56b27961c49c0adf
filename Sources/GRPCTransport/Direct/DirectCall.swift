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
final class DirectCall: BlockingWork, StreamWork {
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

    private struct State {
        var step: Step?
        var output = Output()
        var isCancelled = false
    }

    private let method: DirectMethod
    private let call: GRPCCall
    private let codec: MessageCodec
    private let connection: StreamConnection
    private let running: RunningCalls
    private let handler: NIOLoopBound<GRPCStreamHandler>
    private let state: NIOLockedValueBox<State>

    init(
        _ method: DirectMethod,
        _ request: MessageReader.Message,
        call: GRPCCall,
        codec: MessageCodec,
        running: RunningCalls,
        connection: StreamConnection,
        handler: GRPCStreamHandler
    ) {
        self.method = method
        self.running = running
        self.call = call
        self.codec = codec
        self.connection = connection
        self.handler = NIOLoopBound(handler, eventLoop: connection.eventLoop)
        state = NIOLockedValueBox(State(step: .respond(request)))
    }

    /// Nobody wants the answer.
    func cancel() {
        state.withLockedValue { state in
            state.isCancelled = true
            state.step = nil
        }
    }

    // MARK: On a thread of the executor

    func performBlocking() {
        running.began()
        defer { running.ended() }
        let step = state.withLockedValue { state in
            defer { state.step = nil }
            return state.step
        }
        guard let step else { return }
        var output = Output()
        var next: Step?
        do {
            next = try take(step, into: &output)
            if next == nil { output.end = (Status(code: .ok, message: ""), [:]) }
        } catch {
            let error = RPCError(thrown: error)
            output.end = (Status(code: Status.Code(error.code), message: error.message), error.metadata)
        }
        let isWanted = state.withLockedValue { state in
            state.output = output
            if !state.isCancelled { state.step = next }
            return !state.isCancelled
        }
        if isWanted { connection.perform(self) }
    }

    /// Returns the step that follows; `nil` when the answer is whole.
    private func take(_ step: Step, into output: inout Output) throws -> Step? {
        switch step {
        case .respond(let message):
            switch try method.handler(try codec.bytes(of: message), call) {
            case .message(let bytes):
                output.messages = try codec.frame(of: bytes)
                return nil
            case .messages(let next):
                return try produce(Producer(next), into: &output)
            }
        case .produce(let producer):
            return try produce(producer, into: &output)
        }
    }

    private func produce(_ producer: Producer, into output: inout Output) throws -> Step? {
        var messages = ByteBuffer()
        defer { if messages.readableBytes > 0 { output.messages = messages } }
        while messages.readableBytes < GRPCLimits.outboundByteCountHigh {
            guard let bytes = try producer.next() else { return nil }
            messages.writeImmutableBuffer(try codec.frame(of: bytes))
        }
        return .produce(producer)
    }

    // MARK: On the event loop

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
