// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// Sends the events for one destination: in order for each document, object and user, and several of them at once.
///
///     send ──▶ EventQueue ──▶ up to `parallelMax` workers ──▶ EventPosting
///
/// Callers never wait. An event that finds the queue full is dropped and counted, and the first such is reported. A
/// worker is a task that ends when there is nothing left to send, so that an idle dispatcher costs nothing.
final class EventDispatcher: Sendable {
    struct State {
        var queue: EventQueue
        var workerCount = 0
        var isClosed = false
        var invocations = InvocationTable()
        /// The warnings that were given.
        var warnings: Set<EventWarning> = []
        /// Callers that wait until all is sent.
        var idlers: [CheckedContinuation<Void, Never>] = []
    }

    let destination: String
    let timeout: Duration
    let retries: EventRetries
    let poster: any EventPosting
    let clock: EventClock
    let state: NIOLockedValueBox<State>
    private let limits: EventLimits
    private let parallelMax: Int
    private let pace: EventPace?
    private let report: @Sendable (String) -> Void

    init(
        _ destination: String,
        limits: EventLimits,
        parallelMax: Int,
        pace: EventPace? = nil,
        retries: EventRetries,
        poster: any EventPosting,
        clock: EventClock,
        report: @escaping @Sendable (String) -> Void
    ) {
        precondition(parallelMax > 0, "parallelMax must be positive (is \(parallelMax))")
        (self.destination, self.limits, self.parallelMax) = (destination, limits, parallelMax)
        (timeout, self.retries, self.poster) = (limits.timeout, retries, poster)
        (self.clock, self.report, self.pace) = (clock, report, pace)
        state = NIOLockedValueBox(State(queue: EventQueue(firstOutMax: pace == nil ? parallelMax : 1)))
    }

    /// Sends an event later, after those of its lane.
    func send(_ delivery: Delivery) {
        let (isNewWorker, isDropped) = state.withLockedValue { state -> (Bool, Bool) in
            guard !state.isClosed else { return (false, false) }
            guard state.queue.count < limits.waitingCountMax,
                state.queue.byteCount + delivery.byteCount <= limits.waitingByteCountMax || state.queue.count == 0
            else {
                state.invocations.record(delivery.function) { $0.dropped += 1 }
                return (false, true)
            }
            state.queue.append(delivery)
            return (isWorkerNeeded(&state), false)
        }
        if isDropped { warn(.queueFull) }
        if isNewWorker { Task { await work() } }
    }

    /// Counts one more worker where there is an event for it.
    private func isWorkerNeeded(_ state: inout State) -> Bool {
        guard state.queue.isReady, state.workerCount < parallelMax else { return false }
        state.workerCount += 1
        return true
    }

    /// Returns once nothing waits and nothing is out, or once it is closed.
    func idle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLockedValue { state in
                guard state.workerCount > 0, !state.isClosed else { return true }
                state.idlers.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Forgets what waits and sends nothing more; what is out may still be answered.
    func close() {
        let idlers = state.withLockedValue { state in
            defer { state.idlers = [] }
            state.isClosed = true
            state.queue.removeAll()
            return state.idlers
        }
        for idler in idlers { idler.resume() }
    }

    var invocations: [String: InvocationCounts] { state.withLockedValue { $0.invocations.counts } }

    /// Sends what waits until there is nothing left.
    private func work() async {
        while let delivery = nextDelivery() {
            await deliverAtPace(delivery)
            state.withLockedValue { $0.queue.finish(delivery.lane) }
        }
    }

    /// Sends an event; one that takes long lets its function have more at once.
    private func deliverAtPace(_ delivery: Delivery) async {
        guard let pace else { return await deliver(delivery) }
        let start = clock.microseconds()
        let patience = Task {
            if (try? await clock.sleep(pace.patience)) != nil { allowMore(of: delivery, pace) }
        }
        await deliver(delivery)
        patience.cancel()
        if clock.microseconds() - start > pace.quickMicroseconds { allowMore(of: delivery, pace) }
    }

    private func allowMore(of delivery: Delivery, _ pace: EventPace) {
        let isNewWorker = state.withLockedValue { state in
            state.queue.allowMore(of: delivery.lane.function, upTo: pace.parallelMax)
            return isWorkerNeeded(&state)
        }
        if isNewWorker { Task { await work() } }
    }

    private func nextDelivery() -> Delivery? {
        let (delivery, isNewWorker, idlers) = state.withLockedValue { state -> Next in
            if let delivery = state.queue.next() { return (delivery, isWorkerNeeded(&state), []) }
            state.workerCount -= 1
            guard state.workerCount == 0 else { return (nil, false, []) }
            defer { state.idlers = [] }
            return (nil, false, state.idlers)
        }
        if isNewWorker { Task { await work() } }
        for idler in idlers { idler.resume() }
        return delivery
    }

    private typealias Next = (Delivery?, isNewWorker: Bool, idlers: [CheckedContinuation<Void, Never>])

    /// Reports a kind of trouble, the first time it is met.
    func warn(_ warning: EventWarning) {
        let isFirst = state.withLockedValue { $0.warnings.insert(warning).inserted }
        if isFirst { report(warning.message(destination)) }
    }
}
