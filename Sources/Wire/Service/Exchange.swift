// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering
import NIOConcurrencyHelpers
package import NIOCore

/// One request and its response, as far as the server that answers it may describe them to the meter.
///
/// The bytes are counted on the connection; the server only says what they were for.
package final class Exchange: Sendable {
    /// The server's part in an exchange.
    struct Filing {
        var attribution: UsageAttribution
        var billing: BillingRule
        /// The target and more, for those who watch and for a recorder of sessions.
        var notes: UsageNotes
    }

    private struct State {
        var filing: Filing
        var caller: Caller
        /// The last record of the exchange has been made.
        var isSettled = false
        /// The connection is to end instead of an answer.
        var isReset = false
        /// When the answer was made.
        var date: String?
        /// Whether the answer is still true; `nil` when it must not be given again.
        var repetition: (@Sendable () -> Bool)?
        var isGone = false
        /// Called when the client goes.
        var whenGone: (@Sendable () -> Void)?
        /// Writes what is pushed; not kept when the client has gone.
        var pusher: (any AnswerPushing)?

        /// Takes an attribution over, without copying its texts.
        mutating func attribute(to attribution: inout UsageAttribution) {
            if attribution.client == nil { attribution.client = filing.attribution.client }
            if attribution.user == nil { attribution.user = filing.attribution.user }
            if attribution.tag == nil { attribution.tag = filing.attribution.tag }
            Exchange.cut(&attribution.collection)
            Exchange.cut(&attribution.queryShape)
            Exchange.cut(&attribution.database)
            swap(&filing.attribution, &attribution)
        }

        mutating func bill(_ usage: BilledUsage) {
            let billed = if case .firestore(let billed) = filing.billing { billed } else { BilledUsage.zero }
            filing.billing = .firestore(billed + usage)
        }

        /// The next record; the bill of the one after it begins at zero.
        ///
        /// The exchange's own detail, which grows to its end, is in its last record.
        mutating func takePart(detail: (any UsageDetail)? = nil) -> Filing {
            defer { if case .firestore = filing.billing { filing.billing = .firestore(.zero) } }
            var part = filing
            part.notes.detail = detail
            return part
        }
    }

    /// Longer texts of an attribution are cut to this many bytes: clients write them, and every record keeps them.
    package static let textByteCountMax = 2_048

    private let state: NIOLockedValueBox<State>
    /// The stream of HTTP/2 that carries it; over HTTP/1.1 its number on the connection.
    let streamID: Int32
    private let parts: (any ExchangePartFiling)?

    /// Creates an exchange that is attributed to `attribution` and billed as nothing until attributed again.
    package convenience init(attribution: UsageAttribution, caller: Caller = .anonymous) {
        self.init(attribution: attribution, caller: caller, streamID: 0, parts: nil)
    }

    /// - Parameters:
    ///   - attribution: What is known of the exchange.
    ///   - caller: The caller that its head names, where that was read.
    ///   - streamID: The stream of HTTP/2 that carries it, or its number on a connection of HTTP/1.1.
    ///   - parts: Makes records of the exchange besides the last; `nil` where there are none.
    ///   - target: The path of its request with the query, where that was read.
    init(
        attribution: UsageAttribution,
        caller: Caller = .anonymous,
        streamID: Int32,
        parts: (any ExchangePartFiling)?,
        target: String? = nil
    ) {
        var target = target
        Self.cut(&target)
        let filing = Filing(attribution: attribution, billing: .free, notes: UsageNotes(target: target))
        state = NIOLockedValueBox(State(filing: filing, caller: caller))
        self.streamID = streamID
        self.parts = parts
    }

    /// Says what the exchange is about and how it is billed; the last call before the response ends counts.
    ///
    /// The client, the user and the tag, which the connection reads off the request head, are kept where `attribution`
    /// names none.
    /// When a client has given up waiting, so that the exchange is already recorded, the bill is recorded by itself.
    package func attribute(to attribution: consuming UsageAttribution, billing: BillingRule) {
        let isLate = state.withLockedValue { state in
            state.attribute(to: &attribution)
            let ruleReads = state.filing.billing.ruleReads
            state.filing.billing = billing
            if ruleReads > 0 { state.filing.billing.ruleReads += ruleReads }
            return state.isSettled
        }
        if isLate { flush() }
    }

    /// Says who makes the request and what for, where that is not known.
    func identify(client: String?, caller: Caller, tag: String?, target: String?) {
        var target = target
        Self.cut(&target)
        state.withLockedValue { [target] state in
            state.caller = caller
            state.filing.notes.target = target
            if state.filing.attribution.client == nil { state.filing.attribution.client = client }
            if state.filing.attribution.user == nil { state.filing.attribution.user = caller.userID }
            if state.filing.attribution.tag == nil { state.filing.attribution.tag = tag }
        }
    }

    /// Says what a recorder of sessions wants to know besides the usage; it is in the last record.
    package func describe(by detail: any UsageDetail) {
        state.withLockedValue { $0.filing.notes.detail = detail }
    }

    /// The user or administrator that the request's head names.
    package var caller: Caller { state.withLockedValue(\.caller) }

    /// Adds documents to those that the exchange is billed for, which the next record has.
    package func bill(_ usage: BilledUsage) {
        let isLate = state.withLockedValue { state in
            state.bill(usage)
            return state.isSettled
        }
        if isLate { flush() }
    }

    /// Notes the rule that decided about an operation of Cloud Storage, and adds documents that it looked at to the bill.
    package func note(_ judgement: Judgement) {
        state.withLockedValue { state in
            state.filing.billing.ruleReads += Int64(judgement.ruleReads)
            if let rule = judgement.rule { state.filing.notes.rule = rule }
        }
    }

    /// Notes the rule that decided, or why none allowed the call.
    package func note(rule: String) { state.withLockedValue { $0.filing.notes.rule = rule } }

    /// Makes a record of what has passed since the last one, while the exchange continues.
    ///
    /// Long exchanges such as listeners so show up in the usage before they end. The record holds the bytes of the whole
    /// frames (over HTTP/1.1 all bytes) that the kernel has accepted by now and what was billed so far; the next record
    /// begins at zero again. Only the first record of an exchange counts as a request.
    package func flush() {
        guard let parts else { return }
        parts.file(state.withLockedValue { $0.takePart() }, of: streamID)
    }

    /// Adds to the bill, and makes a record of what has passed since the last one.
    ///
    /// The record is about `attribution`, or without one about the same as the last. Tasks that answer one exchange may do
    /// so at the same time: each bill is filed under its own attribution.
    package func flush(
        billed usage: BilledUsage,
        about attribution: UsageAttribution? = nil,
        detail: (any UsageDetail)? = nil
    ) {
        let part: Filing? = state.withLockedValue { state in
            if var attribution { state.attribute(to: &attribution) }
            state.bill(usage)
            return parts != nil ? state.takePart(detail: detail) : nil
        }
        if let part { parts?.file(part, of: streamID) }
    }

    /// When the answer is made, as HTTP writes dates: the same in all its header fields.
    package var date: String {
        state.withLockedValue { state in
            let date = state.date ?? HTTPDate.now
            state.date = date
            return date
        }
    }

    /// Lets the answer be given again to a request whose head is the same byte for byte, without asking the server.
    ///
    /// It must depend on nothing but that head and what `isCurrent` watches, which is asked each time; the date of it,
    /// if it has one, is ``date``. Over HTTP/1.1 only, and for a GET.
    package func mayRepeat(while isCurrent: @escaping @Sendable () -> Bool) {
        state.withLockedValue { $0.repetition = isCurrent }
    }

    /// Returns whether the answer is still true; `nil` when it must not be given again.
    var repetition: (@Sendable () -> Bool)? { state.withLockedValue { $0.repetition } }

    /// Has a function called, once, when the client goes before it has the whole answer: at once where it has gone by now.
    ///
    /// A write notices that late, and an answer that waits for something else never.
    package func whenGone(_ action: @escaping @Sendable () -> Void) {
        let isGone = state.withLockedValue { state in
            if !state.isGone { state.whenGone = action }
            return state.isGone
        }
        if isGone { action() }
    }

    /// Calls a part when it may be pushed: its answer's head has been written, and there is room.
    package func beginPushing(_ part: any PushedPart) {
        guard let pusher = state.withLockedValue(\.pusher) else { return }
        // Behind the head, which is on its way to the event loop.
        pusher.queue.eventLoop.execute { pusher.awaitRoom(for: part) }
    }

    /// Writes a part of the answer's body from any thread, without a task, see ``beginPushing(_:)``; the answer's writer must
    /// write nothing meanwhile.
    ///
    /// - Parameters:
    ///   - data: The bytes; those before its reader index may be overwritten.
    ///   - part: Is called as the bytes go.
    package func push(_ data: consuming ByteBuffer, _ part: any PushedPart) {
        guard let pusher = state.withLockedValue(\.pusher) else { return part.handed() }
        let byteCount = data.readableBytes
        pusher.queue.append(
            PushQueue.Part(
                exchange: self,
                pusher: pusher,
                bytes: pusher.framed(data),
                bodyByteCount: byteCount,
                part: part
            )
        )
    }

    /// Whether what is pushed is still a part of the answer: it has not ended, and the client is there.
    var takesParts: Bool { state.withLockedValue { $0.pusher != nil } }

    /// Where what is pushed is written; `nil` once the answer has ended, or the client has gone.
    package var pushQueue: PushQueue? { state.withLockedValue { $0.pusher?.queue } }

    /// Has what is pushed written by a connection.
    func pushes(through pusher: any AnswerPushing) {
        state.withLockedValue { $0.pusher = pusher }
    }

    /// Says that the answer has been written.
    func answered() {
        state.withLockedValue { state in
            state.whenGone = nil
            state.pusher = nil
        }
    }

    /// Says that the client has gone, or that its connection will have no more requests.
    func clientGone() {
        let action = state.withLockedValue { state in
            state.isGone = true
            state.pusher = nil
            return state.whenGone.take()
        }
        action?()
    }

    /// Answers with nothing but a TCP reset: whatever response the service returns is not sent.
    ///
    /// Over HTTP/1.1 only.
    package func resetConnection() {
        state.withLockedValue { $0.isReset = true }
    }

    /// Whether the connection is to be reset instead of an answer.
    package var isReset: Bool { state.withLockedValue { $0.isReset } }

    private static func cut(_ text: inout String?) {
        guard let long = text, long.utf8.count > textByteCountMax else { return }
        text = String(decoding: long.utf8.prefix(textByteCountMax), as: UTF8.self)
    }

    /// The bill of the exchange when it has ended; nothing is recorded.
    package func billed(status: Int, sentBodyBytes: Int64) -> BilledUsage {
        settled().billing.billed(status: status, sentBodyBytes: sentBodyBytes)
    }

    /// Returns what the last record of the exchange says.
    func settled() -> Filing {
        state.withLockedValue { state in
            state.isSettled = true
            // Later bills are recorded by themselves.
            defer { if case .firestore = state.filing.billing { state.filing.billing = .firestore(.zero) } }
            return state.filing
        }
    }
}

/// Makes records of exchanges that are still open.
protocol ExchangePartFiling: AnyObject, Sendable {
    /// Files what has passed on a stream so far; called on any thread.
    func file(_ part: Exchange.Filing, of streamID: Int32)
}
