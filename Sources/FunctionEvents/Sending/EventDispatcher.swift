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
        var queue = EventQueue()
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
    let state = NIOLockedValueBox(State())
    private let limits: EventLimits
    private let parallelMax: Int
    private let report: @Sendable (String) -> Void

    init(
        _ destination: String,
        limits: EventLimits,
        parallelMax: Int,
        retries: EventRetries,
        poster: any EventPosting,
        clock: EventClock,
        report: @escaping @Sendable (String) -> Void
    ) {
        precondition(parallelMax > 0, "parallelMax must be positive (is \(parallelMax))")
        (self.destination, self.limits, self.parallelMax) = (destination, limits, parallelMax)
        (timeout, self.retries, self.poster) = (limits.timeout, retries, poster)
        (self.clock, self.report) = (clock, report)
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
            guard state.queue.isReady, state.workerCount < parallelMax else { return (false, false) }
            state.workerCount += 1
            return (true, false)
        }
        if isDropped { warn(.queueFull) }
        if isNewWorker { Task { await work() } }
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
            await deliver(delivery)
            state.withLockedValue { $0.queue.finish(delivery.lane) }
        }
    }

    private func nextDelivery() -> Delivery? {
        let (delivery, idlers) = state.withLockedValue { state -> (Delivery?, [CheckedContinuation<Void, Never>]) in
            if let delivery = state.queue.next() { return (delivery, []) }
            state.workerCount -= 1
            guard state.workerCount == 0 else { return (nil, []) }
            defer { state.idlers = [] }
            return (nil, state.idlers)
        }
        for idler in idlers { idler.resume() }
        return delivery
    }

    /// Reports a kind of trouble, the first time it is met.
    func warn(_ warning: EventWarning) {
        let isFirst = state.withLockedValue { $0.warnings.insert(warning).inserted }
        if isFirst { report(warning.message(destination)) }
    }
}
