// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SessionLog

/// Takes the requests of a log from the thread that reads it to another, a few batches at a time.
final class BatchQueue: Sendable {
    private static let batchCountMax = 8

    private enum Item: Sendable {
        case batch(RequestBatch)
        case end((any Error)?)
    }

    private struct State: Sendable {
        var items: [Item] = []
        var isAbandoned = false
    }

    private let state = Locked(State())
    /// Counts the items that may still be added.
    private let free = DispatchSemaphore(value: 0)
    /// Counts the items that wait.
    private let waiting = DispatchSemaphore(value: 0)

    /// Has a log read on a thread of its own, and takes its batches in on this one.
    ///
    /// - Parameters:
    ///   - hasNames: Whether names of buckets and objects are asked for.
    ///   - read: Takes all requests of the log to a sink.
    ///   - take: Takes in a batch.
    /// - Throws: What either throws; what was read before an error of the reader is taken in first.
    static func run(
        hasNames: Bool,
        _ read: @escaping @Sendable (inout BatchWriter) throws -> Void,
        take: (RequestBatch) throws -> Void
    ) throws {
        let queue = BatchQueue()
        for _ in 0..<batchCountMax { queue.free.signal() }
        Thread.detachNewThread {
            queue.end(Result { try BatchWriter.write(hasNames: hasNames, read, deliver: queue.add) })
        }
        do {
            while let batch = try queue.next() { try take(batch) }
        } catch {
            queue.abandon()
            throw error
        }
    }

    private func add(_ batch: RequestBatch) throws {
        free.wait()
        let isAbandoned = state.withLock { state in
            if !state.isAbandoned { state.items.append(.batch(batch)) }
            return state.isAbandoned
        }
        guard !isAbandoned else { throw CancellationError() }
        waiting.signal()
    }

    private func end(_ result: Result<Void, any Error>) {
        var failure: (any Error)?
        if case .failure(let error) = result { failure = error }
        state.withLock { $0.items.append(.end(failure)) }
        waiting.signal()
    }

    /// The next batch, which is awaited; `nil` after the last one.
    private func next() throws -> RequestBatch? {
        waiting.wait()
        switch state.withLock({ $0.items.removeFirst() }) {
        case .batch(let batch):
            free.signal()
            return batch
        case .end(let error):
            if let error { throw error }
            return nil
        }
    }

    /// Has the reader stop at its next batch.
    private func abandon() {
        state.withLock { $0 = State(isAbandoned: true) }
        free.signal()
    }
}
