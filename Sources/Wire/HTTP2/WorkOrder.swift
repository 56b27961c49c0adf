// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DequeModule
import NIOConcurrencyHelpers

/// The work of a connection's streams that is done in the order in which it came.
///
/// One thread at a time takes it; the work may pass the turn on before it is done, and then another thread continues with
/// the next. What waits for a client is bounded by the streams that it may open, and by the rate at which it may reset
/// them: work of a stream that was reset waits for its turn without its request.
final class WorkOrder: Sendable {
    struct Item {
        let work: any BatchedWork
        let id: ObjectIdentifier
        /// Whether it takes no longer than some ten microseconds, so that the answers before it may wait for it.
        let isSmall: Bool
        /// The number of its turn, once it has had one: an id may be used again when its work is done.
        fileprivate(set) var turn: UInt64 = 0

        init(work: any BatchedWork, id: ObjectIdentifier, isSmall: Bool) {
            self.work = work
            self.id = id
            self.isSmall = isSmall
        }
    }

    private struct State {
        var waiting: Deque<Item> = []
        /// A thread takes the work, or is about to.
        var isTaken = false
        /// The work that has its turn.
        var current: ObjectIdentifier?
        var turnCount: UInt64 = 0
    }

    private let state = NIOLockedValueBox(State())

    /// Whether nothing is being done or waits; work that has passed its turn on does not count.
    var isIdle: Bool { state.withLockedValue { !$0.isTaken } }

    /// Adds work behind the rest; returns whether a thread has to be called.
    func add(_ item: Item) -> Bool {
        state.withLockedValue { state in
            state.waiting.append(item)
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    /// Returns the next work, which has its turn now; `nil` when there is none.
    func next() -> Item? {
        state.withLockedValue { state in
            var item = state.waiting.popFirst()
            state.turnCount += 1
            item?.turn = state.turnCount
            state.current = item?.id
            state.isTaken = item != nil
            return item
        }
    }

    /// Ends the turn of work that continues; returns whether a thread has to be called for the next.
    func pass(_ id: ObjectIdentifier) -> Bool {
        state.withLockedValue { state in
            guard state.current == id else { return false }
            state.current = nil
            state.isTaken = !state.waiting.isEmpty
            return state.isTaken
        }
    }

    /// Whether the work that is done now still had its turn, so that its thread takes the next.
    func keepsTurn(_ item: Item) -> Bool {
        state.withLockedValue { $0.current != nil && $0.turnCount == item.turn }
    }
}

/// Takes a connection's work in order, on a thread.
final class OrderedBatch: BlockingWork {
    /// The event loop is called at the latest after this many.
    private static let workCountMax = 8

    private let order: WorkOrder
    private let connection: StreamConnection

    init(_ order: WorkOrder, for connection: StreamConnection) {
        self.order = order
        self.connection = connection
    }

    func performBlocking() {
        var performed: [any StreamWork] = []
        while let item = order.next() {
            if !item.isSmall || performed.count >= Self.workCountMax {
                connection.perform(performed)
                performed.removeAll(keepingCapacity: true)
            }
            if item.work.performInBatch() { performed.append(item.work) }
            guard order.keepsTurn(item) else { break }
        }
        connection.perform(performed)
    }
}
