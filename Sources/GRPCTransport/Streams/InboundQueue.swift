// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DequeModule
import GRPCCore
import NIOCore

/// The messages of a client that its handler has not yet taken.
///
/// It decides; who holds it resumes and reads on.
struct InboundQueue {
    /// One thing that a handler takes.
    enum Part {
        case metadata(Metadata)
        case message(MessageReader.Message)

        var cost: Int {
            switch self {
            case .metadata: 0
            case .message(let message): max(message.frame.readableBytes, GRPCLimits.messageCost)
            }
        }
    }

    /// The next part for a handler.
    enum Delivery {
        case part(Part)
        case end
        case failure(any Error)
    }

    typealias Waiter = UnsafeContinuation<Delivery, Never>

    private enum State {
        case open
        case ended
        case failed(any Error)
    }

    private var parts: Deque<Part>
    private var byteCount = 0
    /// Bytes of the message that the handler works on: until it asks for the next.
    private var takenByteCount = 0
    private var state = State.open
    private var waiter: Waiter?
    /// The stream's bytes are not read until the queue is shorter.
    private var isReadHeld = false

    init(metadata: Metadata) {
        parts = [.metadata(metadata)]
    }

    /// Bytes of the messages that wait, and of the one that the handler works on.
    var heldByteCount: Int { byteCount + takenByteCount }

    /// Takes a message from the client; the waiter gets the delivery.
    mutating func push(_ message: MessageReader.Message) -> (waiter: Waiter, delivery: Delivery)? {
        guard case .open = state else { return nil }
        let part = Part.message(message)
        if let waiter = takeWaiter() {
            takenByteCount = part.cost
            return (waiter, .part(part))
        }
        parts.append(part)
        byteCount += part.cost
        return nil
    }

    /// No more will come: the client has sent all, or the call has ended otherwise.
    mutating func end(throwing error: (any Error)? = nil) -> (waiter: Waiter, delivery: Delivery)? {
        guard case .open = state else { return nil }
        state = error.map { .failed($0) } ?? .ended
        if error != nil {
            parts.removeAll()
            byteCount = 0
        }
        guard let waiter = takeWaiter() else { return nil }
        return (waiter, error.map { .failure($0) } ?? .end)
    }

    /// Returns what can be had at once, and whether reading may continue.
    mutating func take() -> (delivery: Delivery, readsOn: Bool)? {
        if let part = popFirst() {
            let readsOn = isReadHeld && byteCount <= GRPCLimits.inboundByteCountLow
            if readsOn { isReadHeld = false }
            return (.part(part), readsOn)
        }
        switch state {
        case .open: return nil
        case .ended: return (.end, false)
        case .failed(let error): return (.failure(error), false)
        }
    }

    /// Waits for the next part; returns at once what came meanwhile, or an error when another caller waits already.
    mutating func wait(_ waiter: Waiter) -> Delivery? {
        if let part = popFirst() { return .part(part) }
        switch state {
        case .ended: return .end
        case .failed(let error): return .failure(error)
        case .open where self.waiter != nil: return .failure(RPCError.readTwice)
        case .open:
            self.waiter = waiter
            return nil
        }
    }

    private mutating func popFirst() -> Part? {
        takenByteCount = 0
        guard let part = parts.popFirst() else { return nil }
        byteCount -= part.cost
        takenByteCount = part.cost
        return part
    }

    /// The handler works on no message any more.
    mutating func handlerEnded() { takenByteCount = 0 }

    /// The waiting task has been cancelled.
    mutating func takeWaiter() -> Waiter? {
        defer { waiter = nil }
        return waiter
    }

    /// Returns whether the stream may be read; if not, ``take()`` signals when.
    mutating func mayRead() -> Bool {
        guard byteCount >= GRPCLimits.inboundByteCountHigh else { return true }
        isReadHeld = true
        return false
    }
}
