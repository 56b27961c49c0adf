// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOPosix

/// Runs work that may wait for a disk on a thread where waiting is allowed.
package func blockingWork<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await NIOThreadPool.singleton.runIfActive(work)
}

/// Runs work that may wait for a disk on the threads that are kept for that, and returns to where it was called.
///
/// Swift's own threads are one for each core: two that wait for a disk would stop every task of the process.
package func onBlockingThreads<Result: Sendable>(_ work: () async throws -> Result) async rethrows -> Result {
    try await withTaskExecutorPreference(BlockingExecutor.shared, operation: work)
}
