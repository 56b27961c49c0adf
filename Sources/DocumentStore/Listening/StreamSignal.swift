// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import NIOConcurrencyHelpers

/// Where a stream, its client and the commits meet: requests and wake-ups go in, the puller takes them out.
///
/// Holds the stream's targets while there is no puller, so that the closer can release them.
final class StreamSignal: Sendable {
    enum Request: Sendable {
        case add(ListenTarget)
        case remove(Int32)
    }

    private enum Phase {
        case idle
        case pulling
        case waiting(any ListenWaiter)
        case closed
    }

    private struct State {
        var phase = Phase.idle
        /// `nil` while it is pulled, and once it is closed.
        var core: StreamCore?
        var requests: [Request] = []
        var hasTooManyRequests = false
        /// Whether something happened since the puller last looked.
        var isWoken = false
        /// Time went on and is to be announced.
        var heartbeat: Timestamp?
        /// The authorizations of all targets are to be asked again.
        var mustReauthorize = false

        /// Whether there is something to do that may block.
        var mustBlock: Bool {
            mustReauthorize || !requests.isEmpty || core?.isReading == true || core?.isJudgedAtChanges == true
        }
    }

    private let state: NIOLockedValueBox<State>

    init(_ core: StreamCore) {
        self.state = NIOLockedValueBox(State(core: core))
    }

    // MARK: Waking

    func add(_ request: Request) {
        wake { state in
            if state.requests.count < ListenLimits.waitingRequestMax {
                state.requests.append(request)
            } else {
                state.hasTooManyRequests = true
            }
        }
    }

    func wake(heartbeat: Timestamp? = nil) {
        wake { state in
            state.heartbeat = heartbeat ?? state.heartbeat
        }
    }

    func reauthorize() {
        wake { state in
            state.mustReauthorize = true
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiter: (any ListenWaiter)? = state.withLockedValue { state in
            if case .closed = state.phase { return nil }
            change(&state)
            state.isWoken = true
            guard case .waiting(let waiter) = state.phase else { return nil }
            state.phase = .idle
            return waiter
        }
        waiter?.wake()
    }

    // MARK: Pulling

    /// The signals taken by a puller.
    struct Pull {
        /// `nil` once it is put back.
        var core: StreamCore?
        let heartbeat: Timestamp?
        let mustReauthorize: Bool
        let hasTooManyRequests: Bool
        let mayBlock: Bool
    }

    /// The beginning of a pull.
    enum Beginning {
        case pull(Pull)
        /// What there is to do may block: nothing was taken.
        case left
        case closed
    }

    func beginPull(mayBlock: Bool) -> Beginning {
        state.withLockedValue { state in
            if case .closed = state.phase { return .closed }
            guard case .idle = state.phase, state.core != nil else {
                preconditionFailure("a stream is pulled by one task at a time")
            }
            guard mayBlock || !state.mustBlock else { return .left }
            state.phase = .pulling
            state.isWoken = false
            defer {
                state.heartbeat = nil
                state.mustReauthorize = false
            }
            return .pull(
                Pull(
                    core: state.core.take(),
                    heartbeat: state.heartbeat,
                    mustReauthorize: state.mustReauthorize,
                    hasTooManyRequests: state.hasTooManyRequests,
                    mayBlock: mayBlock
                )
            )
        }
    }

    /// The next request, if it may be taken now.
    func nextRequest(where canTake: (Request) -> Bool) -> Request? {
        state.withLockedValue { state in
            guard let request = state.requests.first, canTake(request) else { return nil }
            return state.requests.removeFirst()
        }
    }

    /// Puts the core back; leaves it to the puller when the stream was closed meanwhile.
    func end(_ pull: inout Pull) {
        state.withLockedValue { state in
            guard case .pulling = state.phase else { return }
            state.phase = .idle
            // Moved: a copy would count each of its parts.
            state.core = pull.core.take()
        }
    }

    /// Has a waiter woken, once, when something happens; returns false where something happened since the last pull began.
    func park(_ waiter: any ListenWaiter) -> Bool {
        state.withLockedValue { state in
            guard !state.isWoken, state.requests.isEmpty, case .idle = state.phase else { return false }
            state.phase = .waiting(waiter)
            return true
        }
    }

    /// Returns once something happened since the last pull began.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = WaitingTask(continuation)
                if !park(task) { task.wake() }
            }
        } onCancel: {
            wake()
        }
    }

    /// Ends the stream; the core, unless a puller then finds out.
    func close() -> StreamCore? {
        let (core, former) = state.withLockedValue { state in
            defer {
                state.phase = .closed
                state.requests = []
            }
            return (state.core.take(), state.phase)
        }
        if case .waiting(let waiter) = former { waiter.wake() }
        return core
    }
}

/// A task that waits for events.
private final class WaitingTask: ListenWaiter {
    private let continuation: CheckedContinuation<Void, Never>

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

    func wake() { continuation.resume() }
}
