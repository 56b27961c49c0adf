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

/// The pushed parts of one event loop's connections.
///
/// Parts that come together are first all written, and only then accounted for: so the last client waits less.
final class PushQueue: Sendable {
    struct Item {
        let exchange: Exchange
        let pusher: any AnswerPushing
        let bytes: ByteBuffer
        let bodyByteCount: Int
        let part: any PushedPart
    }

    private struct State {
        var items: Deque<Item> = []
        /// The event loop is going to take the items.
        var isArranged = false
    }

    private static let ofLoops = PerEventLoop<PushQueue>()

    let eventLoop: any EventLoop
    private let state = NIOLockedValueBox(State())

    private init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// The queue of an event loop.
    static func of(_ eventLoop: any EventLoop) -> PushQueue { ofLoops.value(of: eventLoop, make: PushQueue.init) }

    /// Has a part written; called on any thread.
    func append(_ item: Item) {
        let arranges = state.withLockedValue { state in
            state.items.append(item)
            defer { state.isArranged = true }
            return !state.isArranged
        }
        if arranges { eventLoop.execute { self.write() } }
    }

    private func write() {
        var handed: [(part: any PushedPart, pusher: any AnswerPushing, isWritten: Bool)] = []
        var items: Deque<Item> = []
        while takeAll(into: &items) {
            while let item = items.popFirst() {
                // An answer that has ended meanwhile would be followed by its own rest.
                let isWritten = item.exchange.takesParts
                if isWritten { item.pusher.write(item.bytes, bodyByteCount: item.bodyByteCount) }
                handed.append((item.part, item.pusher, isWritten))
            }
        }
        for (part, pusher, isWritten) in handed {
            part.handed()
            if isWritten { pusher.awaitRoom(for: part) }
        }
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
