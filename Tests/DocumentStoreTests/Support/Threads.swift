// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs blocking work on threads of its own, so that all of it is under way at once.
enum Threads {
    static func run<Outcome: Sendable>(
        count: Int,
        _ body: @escaping @Sendable (Int) throws -> Outcome
    ) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for index in 0..<count {
                let queue = DispatchQueue(label: "test.\(index)")
                group.addTask {
                    try await withCheckedThrowingContinuation { continuation in
                        queue.async { continuation.resume(with: Result { try body(index) }) }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
