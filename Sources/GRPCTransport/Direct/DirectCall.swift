// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import NIOCore
import Wire

/// One call of a direct method that is not answered at once.
///
///     event loop ── run ──▶ thread: handler, then messages up to a limit ── perform ──▶ event loop: writes
///                   ▲                                                                      │
///                   └────────────────────── run, when there is room ◀──────────────────────┘
final class DirectCall: BlockingWork, BatchedWork {
    private struct State {
        var step: DirectSteps.Step?
        var output = DirectSteps.Output()
        var isCancelled = false
        /// Waits for the answer.
        var task: Task<Void, Never>?
    }

    private let steps: DirectSteps
    private let connection: StreamConnection
    private let calls: GRPCCalls
    private let handler: NIOLoopBound<GRPCStreamHandler>
    private let state: NIOLockedValueBox<State>

    init(
        _ steps: DirectSteps,
        beginningWith step: DirectSteps.Step,
        calls: GRPCCalls,
        connection: StreamConnection,
        handler: GRPCStreamHandler
    ) {
        self.steps = steps
        self.connection = connection
        self.calls = calls
        self.handler = NIOLoopBound(handler, eventLoop: connection.eventLoop)
        state = NIOLockedValueBox(State(step: step))
    }

    /// The answer is not wanted.
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
        if performInBatch() { connection.perform(self) }
    }

    func performInBatch() -> Bool {
        calls.running.began()
        defer { calls.running.ended() }
        let step = state.withLockedValue { state in
            defer { state.step = nil }
            return state.step
        }
        guard let step else { return false }
        let output = steps.take(step)
        guard case .wait(let answer) = output.next else { return hand(over: output) }
        wait(for: answer)
        return false
    }

    /// Waits for an answer without holding a thread; called on any.
    func wait(for answer: @escaping @Sendable () async throws -> GRPCBytes) {
        calls.running.began()
        let task = Task(executorPreference: calls.executor) { [self] in
            defer { calls.running.ended() }
            if hand(over: await steps.wait(for: answer)) { connection.perform(self) }
        }
        let isCancelled = state.withLockedValue { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Leaves what was made to the event loop; returns whether it is wanted.
    private func hand(over output: DirectSteps.Output) -> Bool {
        state.withLockedValue { state in
            state.output = output
            if !state.isCancelled { state.step = output.next }
            return !state.isCancelled
        }
    }

    // MARK: On the event loop

    func performOnEventLoop() {
        let output = state.withLockedValue { state in
            defer { state.output = DirectSteps.Output() }
            return state.output
        }
        handler.value.write(output)
    }
}
