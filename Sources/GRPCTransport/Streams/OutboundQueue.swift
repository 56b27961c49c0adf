// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DequeModule
import GRPCCore
import NIOCore

/// The answers of a handler that the event loop has not yet written.
struct OutboundQueue {
    /// One thing that a handler answers, ready for the wire.
    enum Part {
        case metadata(Metadata)
        case message(ByteBuffer)
        case status(Status, Metadata)

        var cost: Int {
            guard case .message(let frame) = self else { return 0 }
            return max(frame.readableBytes, GRPCLimits.messageCost)
        }
    }

    typealias Writer = UnsafeContinuation<(any Error)?, Never>

    private enum State {
        case open
        /// The status has been written.
        case ended
        case failed(any Error)
    }

    /// The answer is one message: it is written together with its status.
    private let hasOneMessage: Bool
    private var parts: Deque<Part> = []
    private var byteCount = 0
    private var state = State.open
    private var isDrainDue = false
    private var writers: [(id: UInt64, continuation: Writer)] = []

    init(hasOneMessage: Bool) {
        self.hasOneMessage = hasOneMessage
    }

    /// Takes a part from the handler and returns whether the event loop has to be called.
    mutating func push(_ part: Part) throws -> Bool {
        switch state {
        case .open: break
        case .ended: throw RPCError.responseEnded
        case .failed(let error): throw error
        }
        var isLast = false
        if case .status = part {
            isLast = true
            state = .ended
        }
        parts.append(part)
        byteCount += part.cost
        guard isLast || !hasOneMessage || isFull, !isDrainDue else { return false }
        isDrainDue = true
        return true
    }

    private var isFull: Bool { byteCount >= GRPCLimits.outboundByteCountHigh }

    /// Whether a writer has to wait before it continues.
    var mustWait: Bool {
        guard case .open = state else { return false }
        return isFull
    }

    /// Waits until there is room; false when there is.
    mutating func wait(_ id: UInt64, continuation: Writer) -> Bool {
        guard mustWait else { return false }
        writers.append((id, continuation))
        return true
    }

    /// The waiting task has been cancelled.
    mutating func takeWriter(_ id: UInt64) -> Writer? {
        writers.firstIndex { $0.id == id }.map { writers.remove(at: $0).continuation }
    }

    /// The event loop begins to write; what is pushed from now on calls it again.
    mutating func drainBegan() {
        isDrainDue = false
    }

    /// Returns the next part to write, and who may write on.
    mutating func take() -> (part: Part, writers: [Writer])? {
        guard let part = parts.popFirst() else { return nil }
        byteCount -= part.cost
        guard !writers.isEmpty, byteCount <= GRPCLimits.outboundByteCountLow else { return (part, []) }
        return (part, takeWriters())
    }

    /// Nothing more is written: the stream is gone, or has been answered otherwise.
    mutating func fail(_ error: any Error) -> [Writer] {
        if case .open = state { state = .failed(error) }
        parts.removeAll()
        byteCount = 0
        return takeWriters()
    }

    /// Whether the handler has written the status.
    var hasEnded: Bool {
        if case .ended = state { true } else { false }
    }

    private mutating func takeWriters() -> [Writer] {
        defer { writers.removeAll() }
        return writers.map(\.continuation)
    }
}
