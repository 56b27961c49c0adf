// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// Holds every request until the test lets it go.
actor GatedTransport: HTTPTransport {
    struct Counts: Sendable {
        var arrived = 0
        var held = 0
        var heldMax = 0
        var cancelled = 0
        var answered = 0
    }

    private struct Awaited {
        let isReached: @Sendable (Counts) -> Bool
        let done: CheckedContinuation<Void, any Error>
    }

    private let base: any HTTPTransport
    private var held: [(id: Int, gate: CheckedContinuation<Void, any Error>)] = []
    private var awaited: [Awaited] = []
    private var counts = Counts()

    init(_ base: any HTTPTransport) { self.base = base }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        counts.arrived += 1
        let id = counts.arrived
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { hold(id, $0) }
        } onCancel: {
            Task { await self.cancel(id) }
        }
        defer {
            counts.answered += 1
            announce()
        }
        return try await base.send(request)
    }

    /// Returns when the counts satisfy the condition; throws when the test is cancelled, as by its time limit.
    func wait(until isReached: @escaping @Sendable (Counts) -> Bool) async throws {
        guard !isReached(counts) else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { awaited.append(Awaited(isReached: isReached, done: $0)) }
        } onCancel: {
            Task { await self.stopWaiting() }
        }
    }

    /// Lets one of the held requests go.
    func release(_ position: Int = 0) {
        let (_, gate) = held.remove(at: position)
        counts.held = held.count
        gate.resume()
    }

    /// Lets the oldest of the held requests go; returns when it has its answer.
    func releaseAndAwait() async throws {
        let answeredCount = counts.answered + 1
        release()
        try await wait { $0.answered >= answeredCount }
    }

    private func hold(_ id: Int, _ gate: CheckedContinuation<Void, any Error>) {
        held.append((id, gate))
        counts.held = held.count
        counts.heldMax = max(counts.heldMax, held.count)
        announce()
    }

    private func cancel(_ id: Int) {
        guard let position = held.firstIndex(where: { $0.id == id }) else { return }
        let (_, gate) = held.remove(at: position)
        counts.held = held.count
        counts.cancelled += 1
        gate.resume(throwing: CancellationError())
        announce()
    }

    private func stopWaiting() {
        for waiter in awaited { waiter.done.resume(throwing: CancellationError()) }
        awaited = []
    }

    private func announce() {
        let reached = awaited.filter { $0.isReached(counts) }
        awaited.removeAll { $0.isReached(counts) }
        for waiter in reached { waiter.done.resume() }
    }
}
