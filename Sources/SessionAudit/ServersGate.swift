// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LocalFirebase

/// Lets servers be started when they are first asked for, and stopped when all questions are answered.
actor ServersGate {
    private var outcome: Result<DirectServers, any Error>?
    private var waiters: [CheckedContinuation<DirectServers, any Error>] = []
    private let (wanted, wantedContinuation) = AsyncStream.makeStream(of: Void.self)
    private let (closed, closedContinuation) = AsyncStream.makeStream(of: Void.self)

    /// The servers, once they are there.
    func servers() async throws -> DirectServers {
        if let outcome { return try outcome.get() }
        wantedContinuation.yield()
        return try await withCheckedThrowingContinuation { waiters.append($0) }
    }

    /// Says that the servers are there, or why they are not.
    func open(_ outcome: Result<DirectServers, any Error>) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        for waiter in waiters { waiter.resume(with: outcome) }
        waiters = []
    }

    /// Says that there will be no more questions.
    nonisolated func close() {
        wantedContinuation.finish()
        closedContinuation.finish()
    }

    /// Waits for the first question; false when there will be none.
    nonisolated func isWanted() async -> Bool { await wanted.first { _ in true } != nil }

    /// Waits until there are no more questions.
    nonisolated func waitUntilClosed() async { for await _ in closed {} }
}

extension Emulator {
    /// Runs the servers without a socket while `body` runs, but only from the time on when it asks for them.
    func runDirectlyWhenAsked<Value: Sendable>(
        _ body: @escaping @Sendable (ServersGate) async throws -> Value
    ) async throws -> Value {
        let gate = ServersGate()
        return try await withThrowingTaskGroup(of: Value?.self) { tasks in
            tasks.addTask {
                guard await gate.isWanted() else { return nil }
                do {
                    try await runDirectly(stoppingOn: Emulator.terminationSignals) { servers in
                        await gate.open(.success(servers))
                        await gate.waitUntilClosed()
                        try Task.checkCancellation()
                    }
                } catch {
                    await gate.open(.failure(error))
                    throw error
                }
                return nil
            }
            tasks.addTask {
                defer { gate.close() }
                return try await body(gate)
            }
            var value: Value?
            for try await outcome in tasks { value = outcome ?? value }
            guard let value else { throw CancellationError() }
            return value
        }
    }
}
