// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Runs tasks on threads that may wait for a disk.
///
/// A handler that runs here calls a store directly: no hop to another thread, and Swift's own threads, one for each
/// core, stay free. It is a fixed pool; a thread is woken only when none that was woken before is still on its way.
package final class BlockingExecutor: TaskExecutor {
    /// The executor of all servers of the process.
    package static let shared = BlockingExecutor(threadCount: threadCountDefault)

    /// Two threads for each core, so that one can compute while the other waits, and at least eight.
    static let threadCountDefault = max(8, 2 * System.coreCount)

    private let queue = WorkQueue()

    /// Starts the threads; they run for as long as the process.
    package init(threadCount: Int) {
        precondition(threadCount > 0, "an executor needs a thread (has \(threadCount))")
        for number in 1...threadCount {
            let thread = Thread { [self] in
                while true { runNext() }
            }
            thread.name = "blocking-\(number)"
            thread.start()
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        queue.append(.job(UnownedJob(job)))
    }

    /// Does work that is not a task, in turn with the tasks.
    package func run(_ work: any BlockingWork) {
        queue.append(.work(work))
    }

    private func runNext() {
        switch queue.next() {
        case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .work(let work): work.performBlocking()
        }
    }
}

/// Work that may wait for a disk, and needs no task.
package protocol BlockingWork: AnyObject, Sendable {
    /// Does the work; called on a thread of the executor.
    func performBlocking()
}

/// The work waiting for a thread, oldest first.
// Unchecked because the mutable state is private and reached only while `condition` is held.
private final class WorkQueue: @unchecked Sendable {
    enum Item {
        case job(UnownedJob)
        case work(any BlockingWork)
    }

    private let condition = NSCondition()
    private var items: Deque<Item> = []
    private var idleCount = 0
    /// A thread has been woken that has not yet taken anything.
    private var isWaking = false

    func append(_ item: Item) {
        condition.lock()
        items.append(item)
        let wakes = wakesAnother()
        condition.unlock()
        // A thread that is woken under the lock would wait for it at once.
        if wakes { condition.signal() }
    }

    func next() -> Item {
        condition.lock()
        while items.isEmpty {
            idleCount += 1
            condition.wait()
            idleCount -= 1
            isWaking = false
        }
        let item = items.removeFirst()
        let wakes = wakesAnother()
        condition.unlock()
        if wakes { condition.signal() }
        return item
    }

    private func wakesAnother() -> Bool {
        guard !items.isEmpty, idleCount > 0, !isWaking else { return false }
        isWaking = true
        return true
    }
}

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

/// Counts the tasks that answer requests, so that a server outlives them.
package final class RunningWork: Sendable {
    private struct State {
        var count = 0
        var waiters: [UnsafeContinuation<Void, Never>] = []
    }

    private let state = NIOLockedValueBox(State())

    /// Creates a count of zero.
    package init() {}

    /// A task begins.
    package func began() {
        state.withLockedValue { $0.count += 1 }
    }

    /// A task has returned.
    package func ended() {
        let waiters = state.withLockedValue { state in
            state.count -= 1
            guard state.count == 0 else { return [UnsafeContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when no task is running.
    package func finished() async {
        await withUnsafeContinuation { continuation in
            let isIdle = state.withLockedValue { state in
                if state.count > 0 { state.waiters.append(continuation) }
                return state.count == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}
