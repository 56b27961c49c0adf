// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Metering
import NIOConcurrencyHelpers
import NIOCore
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
        /// The back channel cannot take more at the moment: it has not begun, or is writing.
        var isWriting = false
        /// Requests with messages that are being answered.
        var senderCount = 0
        /// The look at which anything was last heard of the page, or sent to it.
        var lastLook = 0
        var look = 0
        var hasEnded = false
        var handler: (any ChannelHandler)?
        /// Wakes the call when there is room for answers.
        var whenRoom: (@Sendable () -> Void)?
        /// The last request, with which costs are filed that no later one has.
        var lastExchange: Exchange?

        /// A call that has ended need not wait.
        var hasRoom: Bool { !outbox.isFull || hasEnded }

        mutating func takeWhenRoom() -> (@Sendable () -> Void)? { outbox.isFull ? nil : whenRoom.take() }
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
            exchange.note(usage)
            exchange.attribute(to: usage.attribution, billing: .firestore(usage.billed))
        }
    }

    /// A request whose answer carries what the call answers.
    final class BackChannel: Sendable {
        /// Whether it ends with its first chunk.
        let endsWithChunk: Bool
        /// Looks after which it ends without one.
        fileprivate let lookCount: Int
        fileprivate let exchange: Exchange
        private let finish = AsyncStream.makeStream(of: Never.self)

        fileprivate init(endsWithChunk: Bool, lookCount: Int, exchange: Exchange) {
            (self.endsWithChunk, self.lookCount, self.exchange) = (endsWithChunk, lookCount, exchange)
        }

        fileprivate func end() { finish.continuation.finish() }

        /// Returns when it has ended.
        func ended() async { for await _ in finish.stream {} }
    }

    let id: String
    private let state = NIOLockedValueBox(State())
    /// Held while messages are handed to the call, so that those of two requests are in their order.
    private let handing = NIOLock()

    init(id: String) { self.id = id }

    /// Whether the call is over.
    var hasEnded: Bool { state.withLockedValue(\.hasEnded) }

    /// Lets a call answer; called once, before there are messages.
    func begin(_ handler: any ChannelHandler) {
        let isLate = state.withLockedValue { state in
            if !state.hasEnded { state.handler = handler }
            return state.hasEnded
        }
        // The server has stopped meanwhile.
        if isLate { handler.close() }
    }

    // MARK: What the page sends

    /// Hands messages to the call, and waits until it has taken them; they go there also if the request is given up.
    func deliver(_ messages: [ChannelInbox.Message], from exchange: Exchange) async {
        // Kept by messages alone once it is handed on.
        var delivery: Delivery? = Delivery(exchange)
        guard let stream = delivery?.taken.stream else { return }
        state.withLockedValue { state in
            state.senderCount += 1
            // An exchange keeps its connection.
            if state.backChannel == nil { state.lastExchange = exchange }
        }
        defer {
            state.withLockedValue { state in
                state.senderCount -= 1
                state.lastLook = state.look
            }
        }
        await onBlockingThreads { hand(messages, in: delivery.take()) }
        for await _ in stream {}
    }

    private func hand(_ messages: [ChannelInbox.Message], in delivery: Delivery?) {
        guard let delivery else { return }
        handing.withLock {
            guard let handler = state.withLockedValue(\.handler) else { return }
            do {
                for json in try state.withLockedValue({ try $0.inbox.take(messages) }) {
                    handler.take(json, of: delivery)
                }
            } catch {
                end(with: CallError(anything: error))
            }
        }
    }

    /// Takes note of what the page has; returns `false` for what it cannot have.
    func acknowledge(through number: Int) -> Bool {
        let (isPossible, whenRoom) = state.withLockedValue { state in
            (state.outbox.acknowledge(through: number), state.takeWhenRoom())
        }
        whenRoom?()
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

    /// Whether there is room for answers.
    var hasRoom: Bool { state.withLockedValue(\.hasRoom) }

    /// Appends answers.
    ///
    /// - Parameters:
    ///   - answers: The JSON of each.
    ///   - usages: What they have cost; it is filed with the bytes of the first.
    ///   - waken: Is called, once, when there is room for more, if there is none now.
    /// - Returns: Whether there is room for more.
    @discardableResult
    func append(
        _ answers: [[UInt8]],
        usages: [CallUsage],
        orCall waken: (@Sendable () -> Void)? = nil
    ) -> Bool {
        var hasRoom = true
        push { state in
            for (index, answer) in answers.enumerated() {
                state.outbox.append(answer, usages: index == 0 ? usages : [])
            }
            hasRoom = state.hasRoom
            if !hasRoom { state.whenRoom = waken }
        }
        return hasRoom
    }

    /// Ends the session with a refusal, which is the last answer.
    func end(with error: CallError) {
        guard finish() else { return }
        push { $0.outbox.append(Array(error.json(withList: false).rendered(isIndented: false).utf8)) }
    }

    /// Ends the session, of which the page wants no more.
    func end() {
        guard finish() else { return }
        state.withLockedValue { $0.backChannel }?.end()
    }

    /// Files what no request has carried.
    func settle() {
        let (usages, exchange) = state.withLockedValue { ($0.outbox.takeUsages(), $0.lastExchange.take()) }
        if !usages.isEmpty { exchange?.flush(usages) }
    }

    private func finish() -> Bool {
        let (isFirst, handler, whenRoom) = state.withLockedValue { state in
            defer { state.hasEnded = true }
            return (!state.hasEnded, state.handler.take(), state.whenRoom.take())
        }
        handler?.close()
        whenRoom?()
        return isFirst
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
        let backChannel = BackChannel(endsWithChunk: endsWithChunk, lookCount: lookCount, exchange: exchange)
        var whenRoom: (@Sendable () -> Void)?
        let former: BackChannel?? = state.withLockedValue { state in
            guard state.outbox.acknowledge(through: number) else { return nil }
            whenRoom = state.takeWhenRoom()
            state.outbox.rewind()
            // A page that hears nothing takes the way for one that holds answers back.
            if state.outbox.isSent, !endsWithChunk, !state.hasEnded { state.outbox.appendNoop() }
            state.lastExchange = exchange
            state.lastLook = state.look
            state.isWriting = true
            defer { state.backChannel = backChannel }
            return .some(state.backChannel)
        }
        guard let former else { return nil }
        former?.end()
        whenRoom?()
        return backChannel
    }

    /// Lets a back channel take answers, as its head is being written.
    func begin(_ backChannel: BackChannel) {
        if let queue = backChannel.exchange.pushQueue { state.withLockedValue(\.handler)?.answers(goThrough: queue) }
        backChannel.exchange.beginPushing(
            PushedChunk(session: self, backChannel: backChannel, usages: nil, isLast: false)
        )
    }

    /// Gives the back channel what there is, unless it is still writing.
    private func push(after change: (inout State) -> Void = { _ in }) {
        // Taken out at last: a connection that is the only one to have it writes into it.
        var bytes: ByteBuffer?
        let next: (BackChannel, usages: [CallUsage]?, isLast: Bool)? = state.withLockedValue { state in
            change(&state)
            guard let backChannel = state.backChannel, !state.isWriting else { return nil }
            guard let chunk = state.outbox.nextChunk() else { return state.hasEnded ? (backChannel, nil, true) : nil }
            bytes = chunk.bytes
            state.isWriting = true
            state.lastLook = state.look
            return (backChannel, chunk.usages, backChannel.endsWithChunk || state.outbox.needsAcknowledgement)
        }
        guard let (backChannel, usages, isLast) = next else { return }
        guard let bytes = bytes.take() else { return backChannel.end() }
        let part = PushedChunk(session: self, backChannel: backChannel, usages: usages, isLast: isLast)
        backChannel.exchange.push(bytes, part)
    }

    fileprivate func written(to backChannel: BackChannel, isLast: Bool) {
        guard !isLast else { return backChannel.end() }
        push { if $0.backChannel === backChannel { $0.isWriting = false } }
    }

    /// Ends a back channel.
    func detach(_ backChannel: BackChannel) {
        backChannel.end()
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
        var isAbandoned = false
        push { state in
            state.look += 1
            let quietCount = state.look - state.lastLook
            guard let backChannel = state.backChannel else {
                isAbandoned = state.senderCount == 0 && quietCount >= ChannelLimits.abandonedLookCount
                return
            }
            if quietCount >= backChannel.lookCount, state.outbox.isSent, !state.hasEnded { state.outbox.appendNoop() }
        }
        return isAbandoned
    }
}

/// A chunk on its way to the page.
private final class PushedChunk: PushedPart {
    private let session: ChannelSession
    private let backChannel: ChannelSession.BackChannel
    private let usages: [CallUsage]?
    private let isLast: Bool

    init(session: ChannelSession, backChannel: ChannelSession.BackChannel, usages: [CallUsage]?, isLast: Bool) {
        (self.session, self.backChannel, self.usages, self.isLast) = (session, backChannel, usages, isLast)
    }

    /// Files the costs, also where the page has gone meanwhile: the reads were made.
    func handed() {
        if let usages { backChannel.exchange.flush(usages) }
    }

    func written() { session.written(to: backChannel, isLast: isLast) }
}
