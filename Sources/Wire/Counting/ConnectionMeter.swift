// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Metering

/// Counts one HTTP/1.1 connection and cuts the count into exchanges.
///
/// It lives on the connection's event loop. Two handlers feed it: ``SocketMeterHandler`` next to the socket, with bytes,
/// and ``MessageMeterHandler`` behind the codec, with what the bytes meant:
///
///     socket ──▶ SocketMeter ──▶ codec ──▶ MessageMeter ──▶ server
///                    │ bytes                    │ heads, bodies, ends
///                    └────▶ ConnectionMeter ◀───┘ ──▶ UsageRecord
///
/// Every byte read or accepted by the kernel ends in exactly one record.
final class ConnectionMeter: MeteredConnection {
    /// Where records go; `nil` where nothing is counted, and only what is between two requests is distinguished.
    private let sink: (any UsageRecording)?
    /// Whether anything is recorded.
    let isCounting: Bool
    private let service: UsageAttribution.Service
    let now: @Sendable () -> Int64
    private var open: Deque<ExchangeTally> = []
    /// The first of them whose responses are wholly handed over; they go in order.
    private var handedResponseCount = 0
    /// Bytes read that the decoder has not yet turned into a request.
    private var undecodedByteCount: Int64 = 0
    private(set) var handedByteCount: Int64 = 0
    private(set) var recorded = SocketCount()
    private var repeated = RepeatedExchanges()
    private var recent = RecentAnswers()
    /// Gathers records of what is repeated.
    private let gathering: RepeatAccounts?
    private var isMalformed = false

    init(
        sink: (any UsageRecording)?,
        service: UsageAttribution.Service,
        accounts: RepeatAccounts? = nil,
        now: @escaping @Sendable () -> Int64
    ) {
        gathering = accounts
        self.sink = sink
        isCounting = sink != nil
        self.service = service
        self.now = now
    }

    /// Gathers records of what is repeated; `nil` where every one is to be recorded at once, which may change.
    private var accounts: RepeatAccounts? { sink?.takesRuns == true ? gathering : nil }

    private func file(_ record: UsageRecord) {
        let (received, sent) = record.wireByteCounts
        recorded.received += received
        recorded.sent += sent
        // In the order in which requests ended.
        gathering?.flush()
        sink?.record(record)
    }

    // MARK: Received

    /// Counts bytes that are about to go to the decoder.
    func willDecode(_ byteCount: Int) {
        undecodedByteCount += Int64(byteCount)
    }

    /// Credits the bytes just decoded to the request being received.
    func didDecode() {
        guard let last = open.indices.last, !open[last].requestEnded else { return }
        creditUndecoded(to: last)
    }

    private func creditUndecoded(to index: Int) {
        open[index].receivedWire += undecodedByteCount
        undecodedByteCount = 0
    }

    func requestBegan(_ exchange: Exchange, method: String) {
        open.append(ExchangeTally(exchange: exchange, method: method, startMicroseconds: now()))
    }

    func requestBody(_ byteCount: Int) {
        guard let last = open.indices.last else { return }
        open[last].receivedBody += Int64(byteCount)
    }

    /// The decoder has seen the end of the request; its last bytes are credited before the next head is decoded.
    func requestEnded() {
        guard let last = open.indices.last else { return }
        creditUndecoded(to: last)
        open[last].requestEnded = true
        emitFinished()
    }

    // MARK: Sent

    /// Counts bytes handed to the channel.
    func handed(_ byteCount: Int) {
        handedByteCount += Int64(byteCount)
    }

    /// Runs a write of one message part and files the bytes it led to under the oldest open response.
    ///
    /// - Parameters:
    ///   - bodyByteCount: The body bytes among them; the rest is header or chunk framing, of which a trailing line end
    ///     follows the body.
    ///   - write: Hands the part to the channel.
    func responsePart(bodyByteCount: Int, _ write: () -> Void) {
        let start = handedByteCount
        write()
        open[indexOfResponse()].handed(start..<handedByteCount, bodyByteCount: Int64(bodyByteCount))
    }

    func responseBegan(status: Int) {
        open[indexOfResponse()].status = status
    }

    func responseHanded() {
        handedResponseCount = indexOfResponse() + 1
    }

    /// The kernel has accepted the oldest response that was waiting for it.
    func responseAccepted() {
        let handed = open.indices.prefix(handedResponseCount)
        guard let index = handed.first(where: { !open[$0].responseAccepted }) else { return }
        open[index].sent.confirmAll()
        open[index].responseAccepted = true
        emitFinished()
    }

    /// The open exchange whose response is being written: the oldest that is not wholly handed over.
    ///
    /// A response to bytes that were not a request (the 400 for a parse error) gets an exchange of its own.
    private func indexOfResponse() -> Int {
        if handedResponseCount == open.count { appendMalformed() }
        return handedResponseCount
    }

    private func appendMalformed() {
        let attribution = UsageAttribution(service: service, operation: "\(service.rawValue).malformed")
        var tally = ExchangeTally(exchange: Exchange(attribution: attribution), method: "", startMicroseconds: now())
        tally.isMalformed = true
        // No request follows what cannot be read.
        tally.isContinuation = isMalformed
        isMalformed = true
        tally.requestEnded = true
        tally.receivedWire = undecodedByteCount
        undecodedByteCount = 0
        open.append(tally)
    }

    // MARK: Repeated

    /// Whether the next byte begins a request, and every former one is answered.
    var isBetweenExchanges: Bool {
        guard undecodedByteCount == 0, !isMalformed else { return false }
        // Where every record counts for the next request, that waits for the one before.
        guard !isCounting || accounts != nil || !repeated.isAwaitingDelivery else { return false }
        return handedResponseCount == open.count && open.allSatisfy(\.requestEnded)
    }

    /// Files a request whose answer, from memory, is about to be handed to the channel.
    func repeatBegan(_ answer: KeptAnswer, startMicroseconds: Int64) {
        guard isCounting else { return }
        repeated.began(answer, startMicroseconds: startMicroseconds, responseStart: handedByteCount)
        handedByteCount += answer.byteCount
    }

    /// The kernel has accepted the oldest answer from memory that was waiting for it.
    func repeatAccepted() {
        guard isCounting else { return }
        let accepted = repeated.accepted(endMicroseconds: now())
        if accounts?.extend(accepted.answer, times: accepted.times) == true {
            recorded.received += accepted.receivedByteCount
            recorded.sent += accepted.sentByteCount
        } else {
            recordFirst(repeated.lastAccepted, times: accepted.times)
        }
    }

    /// Files a request whose record does not go with the one before.
    private func recordFirst(_ answer: KeptAnswer, times: UsageRun.Times) {
        guard let accounts, let sink else { return file(answer.record(at: times)) }
        recorded.received += answer.receivedByteCount
        recorded.sent += answer.byteCount
        accounts.begin(answer, times: times, sink: sink)
    }

    // MARK: End

    var isAwaitingDelivery: Bool {
        repeated.isAwaitingDelivery || open.contains { $0.responseStart != nil && !$0.responseAccepted }
    }

    func connectionEnded(_ end: ConnectionEnd) {
        undecodedByteCount += end.unreadByteCount
        if undecodedByteCount > 0 {
            if let last = open.indices.last, !open[last].requestEnded || open[last].isMalformed {
                creditUndecoded(to: last)
            } else {
                appendMalformed()
            }
        }
        amend(end)
        let endMicroseconds = now()
        for record in repeated.ended(end, endMicroseconds: endMicroseconds) {
            file(record)
        }
        for index in open.indices {
            if let sentByteCount = end.sentByteCount, let start = open[index].responseStart {
                open[index].sent.settle(acceptedByteCount: sentByteCount - start)
            }
            file(open[index].record(endMicroseconds: endMicroseconds, abortCause: end.cause))
        }
        open.removeAll()
        handedResponseCount = 0
    }

    private func emitFinished() {
        while !open.isEmpty, open[0].isFinished {
            var tally = open.removeFirst()
            handedResponseCount -= 1
            let start = tally.unfiledStart
            file(tally.record(endMicroseconds: now(), abortCause: nil), sentFrom: start)
        }
    }

    /// Files what an exchange has moved so far; `pendingByteCount` bytes of what was handed over wait for the kernel.
    func filePart(_ filing: Exchange.Filing, of exchangeNumber: Int32, pendingByteCount: Int64) {
        guard let index = open.indices.first(where: { open[$0].exchange.streamID == exchangeNumber }) else {
            // A store has finished what a client that has gone had asked for: the bytes are in a record, the bill is not.
            let record = UsageRecord.late(filing, at: now())
            return record.billed == .zero ? () : file(record)
        }
        let start = open[index].unfiledStart
        if let responseStart = open[index].responseStart {
            open[index].sent.settle(acceptedByteCount: handedByteCount - pendingByteCount - responseStart)
        }
        if let record = open[index].part(filing, at: now()) { file(record, sentFrom: start) }
    }

    /// Files a record whose bytes were sent from somewhere on, and remembers it for as long as they may be thrown away.
    private func file(_ record: UsageRecord, sentFrom start: Int64?) {
        file(record)
        if let start { recent.append(record, start: start) }
    }

    /// Takes back what the kernel threw away of answers that it had taken.
    private func amend(_ end: ConnectionEnd) {
        gathering?.flush()
        let recordedEnd = max(recent.end, repeated.acceptedEnd)
        guard let sent = end.sentByteCount, recordedEnd > sent else { return }
        var lost = recordedEnd - sent
        for amendment in recent.amendments(end) + repeated.amendments(end) {
            let (former, record) = (amendment.former, amendment.record)
            lost -= former.sent.wire - record.sent.wire
            recorded.sent += record.sent.wire - former.sent.wire
            sink?.amend(former, to: record)
        }
        // The discarded part of answers that are no longer remembered.
        if lost > 0 { file(.takingBack(sentByteCount: lost, of: service, at: now())) }
    }
}
