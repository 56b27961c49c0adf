// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Small work that a stream would do off the event loop, perhaps one after the other with that of other streams.
package protocol BatchedWork: StreamWork {
    /// Does the work, on a thread that may block; returns whether the event loop has something to do for it.
    func performInBatch() -> Bool
}

/// The work of a stream when all its input is read.
package enum ReadWork {
    /// Nothing, or it is being done.
    case none
    /// Small work.
    case small(any BatchedWork)
    /// Small work that may have to wait for others.
    case waiting(any BatchedWork)
}

/// Work of streams that were read together, done on one thread, which is woken once.
final class StreamBatch: BlockingWork {
    /// More are shared between threads, so that the first answers need not wait for the last.
    private static let workCountMax = 8

    private let works: ArraySlice<any BatchedWork>
    private let connection: StreamConnection

    private init(_ works: ArraySlice<any BatchedWork>, for connection: StreamConnection) {
        self.works = works
        self.connection = connection
    }

    /// Runs the work of streams; what may wait keeps nothing else waiting.
    static func run(_ reads: [ReadWork], for connection: StreamConnection, on executor: BlockingExecutor) {
        var small: [any BatchedWork] = []
        var waiting: [any BatchedWork] = []
        for read in reads {
            switch read {
            case .none: break
            case .small(let work): small.append(work)
            case .waiting(let work): waiting.append(work)
            }
        }
        runInParts(small, for: connection, on: executor)
        runInParts(waiting, for: connection, on: executor)
    }

    private static func runInParts(
        _ works: [any BatchedWork],
        for connection: StreamConnection,
        on executor: BlockingExecutor
    ) {
        for start in stride(from: 0, to: works.count, by: workCountMax) {
            executor.run(StreamBatch(works[start...].prefix(workCountMax), for: connection))
        }
    }

    func performBlocking() {
        var performed: [any StreamWork] = []
        performed.reserveCapacity(works.count)
        for work in works where work.performInBatch() { performed.append(work) }
        connection.perform(performed)
    }
}
