// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Metering
import NIOConcurrencyHelpers
import Wire

/// One call of a page, over requests that come and go.
///
///     requests ──▶ inbox ──▶ call ──▶ outbox ──▶ back channel, at most one
///
/// The page posts messages, and has one request open whose answer is what the call answers. Each may be lost: what was posted
/// twice is taken once, what was not acknowledged is sent again.
final class ChannelSession: Sendable {
    private struct State {
        var inbox = ChannelInbox()
        var outbox = ChannelOutbox()
        var backChannel: BackChannel?
        /// Requests with messages that are being answered.
        var senderCount = 0
        /// The look at which anything was last heard of the page, or sent to it.
        var lastLook = 0
        var look = 0
        var hasEnded = false
        /// The last request, with which costs are filed that no later one has.
        var lastExchange: Exchange?
    }

    /// A message on its way to the call.
    struct Message: Sendable {
        let json: [UInt8]
        let delivery: Delivery
    }

    /// The messages of one request on their way to the call; it is over when the last of them was taken, or is dropped.
    final class Delivery: Sendable {
        private let exchange: Exchange
        private let isFiled = NIOLockedValueBox(false)
        fileprivate let taken = AsyncStream.makeStream(of: Never.self)

        fileprivate init(_ exchange: Exchange) { self.exchange = exchange }

        deinit { taken.continuation.finish() }

        /// Files what a message has cost with the request; each but the first has a record of its own.
        func settle(_ usage: CallUsage) {
            let isFirst = isFiled.withLockedValue { isFiled in
                defer { isFiled = true }
                return !isFiled
            }
            if !isFirst { exchange.flush() }
            if let reads = usage.reads { exchange.describe(by: reads) }
            exchange.attribute(to: usage.attribution, billing: .firestore(usage.billed))
        }
    }

    /// A request whose answer carries what the call answers.
    final class BackChannel: Sendable {
        /// Whether it ends with its first chunk.
        let endsWithChunk: Bool
        /// Looks after which it ends without one.
        fileprivate let lookCount: Int
        fileprivate let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

        fileprivate init(endsWithChunk: Bool, lookCount: Int) {
            (self.endsWithChunk, self.lookCount) = (endsWithChunk, lookCount)
        }
    }

    /// The next step of a back channel.
    enum Step {
        case send(ChannelChunk, isLast: Bool)
        case wait
        case end
    }

    let id: String
    /// The messages for the call, in their order; they end with the session.
    let messages: AsyncStream<Message>
    private let incoming: AsyncStream<Message>.Continuation
    /// Wakes the call when answers were acknowledged.
    private let room = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let state = NIOLockedValueBox(State())

    init(id: String) {
        self.id = id
        (messages, incoming) = AsyncStream.makeStream()
    }

    // MARK: What the page sends

    /// Hands messages to the call, and waits until it has taken them; they go there also if the request is given up.
    func deliver(_ messages: [ChannelInbox.Message], from exchange: Exchange) async {
        let delivery = Delivery(exchange)
        let stream = delivery.taken.stream
        state.withLockedValue { state in
            state.senderCount += 1
            state.lastExchange = exchange
        }
        defer {
            state.withLockedValue { state in
                state.senderCount -= 1
                state.lastLook = state.look
            }
        }
        hand(messages, in: consume delivery)
        for await _ in stream {}
    }

    private func hand(_ messages: [ChannelInbox.Message], in delivery: consuming Delivery) {
        let delivery = delivery
        do {
            try state.withLockedValue { state in
                // Under the lock, so that those of two requests are in their order.
                for json in try state.inbox.take(messages) { incoming.yield(Message(json: json, delivery: delivery)) }
            }
        } catch {
            end(with: CallError(anything: error))
        }
    }

    /// Takes note of what the page has; returns `false` for what it cannot have.
    func acknowledge(through number: Int) -> Bool {
        let isPossible = state.withLockedValue { $0.outbox.acknowledge(through: number) }
        room.continuation.yield()
        return isPossible
    }

    /// The answer to messages: whether the page has a back channel, the newest answer's number, and the bytes that it has not
    /// acknowledged.
    var status: (hasBackChannel: Bool, lastNumber: Int, byteCount: Int) {
        state.withLockedValue { ($0.backChannel != nil, $0.outbox.lastNumber, $0.outbox.byteCount) }
    }

    /// Whether it has ended, and the page knows.
    var isOver: Bool { state.withLockedValue { $0.hasEnded && $0.outbox.count == 0 } }

    // MARK: What the call answers

    /// Appends answers, when there is room for them.
    ///
    /// - Parameters:
    ///   - answers: The JSON of each.
    ///   - usages: What they have cost; it is filed with the bytes of the first.
    /// - Throws: `CancellationError`.
    func send(_ answers: [[UInt8]], usages: [CallUsage]) async throws {
        guard !answers.isEmpty else { return }
        var waiting = room.stream.makeAsyncIterator()
        while state.withLockedValue({ $0.outbox.isFull && !$0.hasEnded }) {
            guard await waiting.next() != nil else { break }
        }
        append { outbox in
            for (index, answer) in answers.enumerated() { outbox.append(answer, usages: index == 0 ? usages : []) }
        }
        try Task.checkCancellation()
    }

    /// Ends the session with a refusal, which is the last answer.
    func end(with error: CallError) {
        guard finish() else { return }
        append { $0.append(Array(error.json(withList: false).rendered(isIndented: false).utf8)) }
    }

    /// Ends the session, of which the page wants no more.
    func end() {
        guard finish() else { return }
        state.withLockedValue { $0.backChannel }?.signal.continuation.finish()
    }

    /// Files what no request has carried.
    func settle() {
        let (usages, exchange) = state.withLockedValue { ($0.outbox.takeUsages(), $0.lastExchange.take()) }
        if !usages.isEmpty { exchange?.flush(usages) }
    }

    private func finish() -> Bool {
        let isFirst = state.withLockedValue { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        incoming.finish()
        room.continuation.finish()
        return isFirst
    }

    private func append(_ change: (inout ChannelOutbox) -> Void) {
        let backChannel = state.withLockedValue { state in
            change(&state.outbox)
            return state.backChannel
        }
        backChannel?.signal.continuation.yield()
    }

    // MARK: The back channel

    /// Begins a back channel in place of the one before.
    ///
    /// - Parameters:
    ///   - number: The newest answer that the page has.
    ///   - endsWithChunk: Whether the answer ends with what there is to send, as proxies want it that hold answers back.
    ///   - lookCount: The looks after which it gets a sign of life.
    ///   - exchange: The request.
    /// - Returns: `nil` where the page says that it has what was never sent.
    func attach(after number: Int, endsWithChunk: Bool, lookCount: Int, exchange: Exchange) -> BackChannel? {
        let backChannel = BackChannel(endsWithChunk: endsWithChunk, lookCount: lookCount)
        let former: BackChannel?? = state.withLockedValue { state in
            guard state.outbox.acknowledge(through: number) else { return nil }
            state.outbox.rewind()
            // A page that hears nothing takes the way for one that holds answers back.
            if state.outbox.isSent, !endsWithChunk, !state.hasEnded { state.outbox.appendNoop() }
            state.lastExchange = exchange
            state.lastLook = state.look
            defer { state.backChannel = backChannel }
            return .some(state.backChannel)
        }
        guard let former else { return nil }
        former?.signal.continuation.finish()
        room.continuation.yield()
        return backChannel
    }

    /// Says what a back channel does next.
    func next(for backChannel: BackChannel) -> Step {
        state.withLockedValue { state in
            guard state.backChannel === backChannel else { return .end }
            guard let chunk = state.outbox.nextChunk() else { return state.hasEnded ? .end : .wait }
            state.lastLook = state.look
            return .send(chunk, isLast: backChannel.endsWithChunk || state.outbox.needsAcknowledgement)
        }
    }

    /// Waits until there is something to do for a back channel; returns `false` when its client has gone.
    func wait(for backChannel: BackChannel) async -> Bool {
        var signal = backChannel.signal.stream.makeAsyncIterator()
        return await signal.next() != nil
    }

    /// Ends a back channel.
    func detach(_ backChannel: BackChannel) {
        backChannel.signal.continuation.finish()
        state.withLockedValue { state in
            guard state.backChannel === backChannel else { return }
            state.backChannel = nil
            state.lastLook = state.look
        }
    }

    // MARK: Time

    /// Gives a quiet back channel a sign of life.
    ///
    /// - Returns: Whether the page is gone: it has had no request for too long.
    func look() -> Bool {
        let (isAbandoned, woken): (Bool, BackChannel?) = state.withLockedValue { state in
            state.look += 1
            let quietCount = state.look - state.lastLook
            guard let backChannel = state.backChannel else {
                return (state.senderCount == 0 && quietCount >= ChannelLimits.abandonedLookCount, nil)
            }
            guard quietCount >= backChannel.lookCount, state.outbox.isSent, !state.hasEnded else { return (false, nil) }
            state.outbox.appendNoop()
            return (false, backChannel)
        }
        woken?.signal.continuation.yield()
        return isAbandoned
    }
}
