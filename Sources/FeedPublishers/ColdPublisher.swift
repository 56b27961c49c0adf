// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// Asynchronous work as a publisher: it begins when a subscriber asks for a value, not before, once for each
/// subscription, and is cancelled with it.
public struct ColdPublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
    private let work: @Sendable () async throws(Failure) -> Output

    /// Creates a publisher of the work's result.
    public init(_ work: @escaping @Sendable () async throws(Failure) -> Output) { self.work = work }

    /// Attaches a subscriber.
    public func receive<Downstream: Subscriber>(
        subscriber: Downstream
    ) where Downstream.Input == Output, Downstream.Failure == Failure {
        subscriber.receive(subscription: ColdSubscription(work, downstream: AnySubscriber(subscriber)))
    }
}

/// The work of one subscriber.
// Unchecked because a subscriber is no Sendable type: it is called from one task, at most once, after which it is let go.
private final class ColdSubscription<Output: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
    private typealias Downstream = AnySubscriber<Output, Failure>

    private enum State {
        case idle(Downstream)
        case working(Downstream, Task<Void, Never>?)
        case over
    }

    private let work: @Sendable () async throws(Failure) -> Output
    private let state: Locked<Transferred<State>>

    init(
        _ work: @escaping @Sendable () async throws(Failure) -> Output,
        downstream: AnySubscriber<Output, Failure>
    ) {
        self.work = work
        state = Locked(Transferred(.idle(downstream)))
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let begins = state.withLock { state in
            guard case .idle(let downstream) = state.value else { return false }
            state.value = .working(downstream, nil)
            return true
        }
        guard begins else { return }
        let task = Task { await self.run() }
        let isOver = state.withLock { state in
            guard case .working(let downstream, _) = state.value else { return true }
            state.value = .working(downstream, task)
            return false
        }
        if isOver { task.cancel() }
    }

    func cancel() {
        // The old state is let go of outside the lock: with it may go a subscriber that cancels once more.
        let old = state.withLock { state in
            let old = state
            state.value = .over
            return old
        }
        if case .working(_, let task) = old.value { task?.cancel() }
    }

    private func run() async {
        do throws(Failure) {
            let value = try await work()
            guard let downstream = current else { return }
            _ = downstream.value.receive(value)
            // A subscriber that needs only the value has cancelled.
            finish()?.value.receive(completion: .finished)
        } catch {
            finish()?.value.receive(completion: .failure(error))
        }
    }

    /// The subscriber, unless it has cancelled.
    private var current: Transferred<Downstream>? {
        state.withLock { state in
            guard case .working(let downstream, _) = state.value else { return nil }
            return Transferred(downstream)
        }
    }

    /// For the last time.
    private func finish() -> Transferred<Downstream>? {
        state.withLock { state in
            defer { state.value = .over }
            guard case .working(let downstream, _) = state.value else { return nil }
            return Transferred(downstream)
        }
    }
}

/// Lets a value into a lock that is no Sendable type itself.
// Unchecked because a value is in one place at a time: in the lock, or with the caller that took it out.
private struct Transferred<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}
