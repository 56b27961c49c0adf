// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// The work of one subscriber.
// Unchecked because a subscriber is not a Sendable type: it is called from one task, one call after the other, and is
// released with the state.
final class ColdSubscription<Output: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
    private typealias Downstream = AnySubscriber<Output, Failure>

    private enum State {
        case idle(Downstream)
        case working(Running)
        case over
    }

    private struct Running {
        let downstream: Downstream
        var demand: Subscribers.Demand
        var task: Task<Void, Never>?
        /// The work, while it has a value that the subscriber has not asked for.
        var waiting: CheckedContinuation<Void, Never>?
    }

    private enum Step {
        case begin
        case resume(CheckedContinuation<Void, Never>?)
    }

    private let work: ColdPublisher<Output, Failure>.Work
    private let state: Locked<Transferred<State>>

    init(_ work: @escaping ColdPublisher<Output, Failure>.Work, downstream: AnySubscriber<Output, Failure>) {
        self.work = work
        state = Locked(Transferred(.idle(downstream)))
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let step = state.withLock { state in
            switch state.value {
            case .idle(let downstream):
                state.value = .working(Running(downstream: downstream, demand: demand))
                return Step.begin
            case .working(var running):
                let waiting = running.waiting
                running.waiting = nil
                running.demand += demand
                state.value = .working(running)
                return .resume(waiting)
            case .over: return .resume(nil)
            }
        }
        switch step {
        case .begin: begin()
        case .resume(let waiting): waiting?.resume()
        }
    }

    private func begin() {
        let task = Task { await self.run() }
        let isOver = state.withLock { state in
            guard case .working(var running) = state.value else { return true }
            running.task = task
            state.value = .working(running)
            return false
        }
        if isOver { task.cancel() }
    }

    func cancel() {
        guard let running = finish()?.value else { return }
        running.task?.cancel()
        running.waiting?.resume()
    }

    private func run() async {
        do throws(Failure) {
            try await work { await self.send($0) }
            finish()?.value.downstream.receive(completion: .finished)
        } catch {
            finish()?.value.downstream.receive(completion: .failure(error))
        }
    }

    private func send(_ value: Output) async {
        await waitForDemand()
        guard let downstream = takeDemand() else { return }
        request(downstream.value.receive(value))
    }

    private func waitForDemand() async {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                guard case .working(var running) = state.value, running.demand == .none else { return false }
                running.waiting = continuation
                state.value = .working(running)
                return true
            }
            if !waits { continuation.resume() }
        }
    }

    /// The subscriber, for one value; `nil` when it has cancelled.
    private func takeDemand() -> Transferred<Downstream>? {
        state.withLock { state in
            guard case .working(var running) = state.value else { return nil }
            running.demand -= 1
            state.value = .working(running)
            return Transferred(running.downstream)
        }
    }

    /// Ends the subscription; returns what it was, if it had begun.
    ///
    /// The old state is released outside the lock: with it may go a subscriber that cancels once more.
    private func finish() -> Transferred<Running>? {
        let old = state.withLock { state in
            let old = state
            state.value = .over
            return old
        }
        guard case .working(let running) = old.value else { return nil }
        return Transferred(running)
    }
}

/// Lets a value that is not a Sendable type into a lock.
// Unchecked because a value is in one place at a time: in the lock, or with the caller that took it out.
private struct Transferred<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}
