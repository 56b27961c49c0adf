// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DequeModule
import NIOConcurrencyHelpers
import NIOCore

/// A part of an answer's body that is written without a task.
package protocol PushedPart: AnyObject, Sendable {
    /// The bytes have been handed to the connection, or the client has gone.
    func handed()
    /// There is room for more; called on the connection's event loop, and never once the client has gone.
    func written()
}

/// Writes pushed parts of an answer's body to a connection.
protocol AnswerPushing: AnyObject, Sendable {
    /// The queue of the connection's event loop.
    var queue: PushQueue { get }
    /// Puts bytes into the form in which they go to the connection; called on any thread.
    func framed(_ data: consuming ByteBuffer) -> ByteBuffer
    /// Hands bytes to the connection; called on the event loop.
    func write(_ bytes: ByteBuffer, bodyByteCount: Int)
    /// Calls the part when there is room for more; called on the event loop.
    func awaitRoom(for part: any PushedPart)
}

/// Work that makes pushed parts, and is done between their writes.
package protocol PushingWork: AnyObject, Sendable {
    /// Does the work; called on an event loop, so it must not block.
    func performPushing()
}

/// The pushed parts of one event loop's connections, and the work that makes them.
///
/// Parts that come together are first all written, and only then accounted for: so the last client waits less.
package final class PushQueue: Sendable {
    struct Part {
        let exchange: Exchange
        let pusher: any AnswerPushing
        let bytes: ByteBuffer
        let bodyByteCount: Int
        let part: any PushedPart
    }

    private enum Item {
        case part(Part)
        case work(any PushingWork)
    }

    private struct State {
        var items: Deque<Item> = []
        /// The event loop takes the items, or is going to.
        var isArranged = false
    }

    /// A part that has been written, unless it came too late.
    private struct Handed {
        let part: any PushedPart
        let pusher: any AnswerPushing
        let isWritten: Bool
    }

    /// Where items come all the time, the event loop turns to other things after about this number.
    private static let itemCountMax = 1_024
    private static let ofLoops = PerEventLoop<PushQueue>()

    let eventLoop: any EventLoop
    private let state = NIOLockedValueBox(State())
    /// The parts to account for, while the event loop takes items.
    private let handed: NIOLoopBoundBox<[Handed]?>

    private init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        handed = .makeBoxSendingValue(nil, eventLoop: eventLoop)
    }

    /// The queue of an event loop.
    static func of(_ eventLoop: any EventLoop) -> PushQueue { ofLoops.value(of: eventLoop, make: PushQueue.init) }

    /// Has a part written; called on any thread.
    func append(_ part: Part) {
        if eventLoop.inEventLoop, handed.value != nil { return write(part) }
        append(.part(part))
    }

    /// Has work done; called on any thread.
    package func append(_ work: any PushingWork) { append(.work(work)) }

    private func append(_ item: Item) {
        let arranges = state.withLockedValue { state in
            state.items.append(item)
            defer { state.isArranged = true }
            return !state.isArranged
        }
        if arranges { eventLoop.execute { self.takeItems() } }
    }

    private func takeItems() {
        handed.value = []
        var items: Deque<Item> = []
        var count = 0
        while count < Self.itemCountMax, takeAll(into: &items) {
            count += items.count
            while let item = items.popFirst() {
                switch item {
                case .part(let part): write(part)
                case .work(let work): work.performPushing()
                }
            }
        }
        // Later pushes wait for the next time.
        for handed in handed.value.take() ?? [] {
            handed.part.handed()
            if handed.isWritten { handed.pusher.awaitRoom(for: handed.part) }
        }
        if count >= Self.itemCountMax { eventLoop.execute { self.takeItems() } }
    }

    private func write(_ part: Part) {
        // An answer that has ended meanwhile would be followed by its own rest.
        let isWritten = part.exchange.takesParts
        if isWritten { part.pusher.write(part.bytes, bodyByteCount: part.bodyByteCount) }
        handed.value?.append(Handed(part: part.part, pusher: part.pusher, isWritten: isWritten))
    }

    /// Exchanges the items for none; returns whether there were any.
    private func takeAll(into items: inout Deque<Item>) -> Bool {
        state.withLockedValue { state in
            state.isArranged = !state.items.isEmpty
            swap(&state.items, &items)
            return state.isArranged
        }
    }
}
