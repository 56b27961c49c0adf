// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Runs work that no screen waits for at utility priority, whatever the caller's.
///
/// The caller waits for a continuation: who awaits a task raises its priority to their own.
func atUtilityPriority<Failure: Error>(_ work: @escaping @Sendable () throws(Failure) -> Void) async throws(Failure) {
    let result: Result<Void, Failure> = await withCheckedContinuation { continuation in
        Task.detached(priority: .utility) { continuation.resume(returning: Result(catching: work)) }
    }
    try result.get()
}
