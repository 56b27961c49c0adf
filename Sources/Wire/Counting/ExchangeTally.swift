// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// The bytes of one exchange while it is open.
struct ExchangeTally {
    let exchange: Exchange
    let method: String
    /// Where this exchange's response starts in the connection's stream of sent bytes.
    var responseStart: Int64?
    var receivedWire: Int64 = 0
    var receivedBody: Int64 = 0
    var sent = SentSegments()
    var status = 0
    var requestEnded = false
    /// The kernel has accepted the last byte of the response.
    var responseAccepted = false
    var isMalformed = false
    /// More of what another record counts as a request.
    var isContinuation = false
    /// The bytes in records that were made before the end.
    private var filed = (received: TransferredBytes.zero, sent: TransferredBytes.zero)
    private var partStartMicroseconds: Int64

    init(exchange: Exchange, method: String, startMicroseconds: Int64) {
        self.exchange = exchange
        self.method = method
        partStartMicroseconds = startMicroseconds
    }

    var isFinished: Bool { requestEnded && responseAccepted }

    /// Where the bytes of the next record start in the connection's stream of sent bytes; `nil` before the response.
    var unfiledStart: Int64? { responseStart.map { $0 + filed.sent.wire } }

    /// Takes note of a part of the response, which is somewhere in the connection's stream of sent bytes.
    mutating func handed(_ place: Range<Int64>, bodyByteCount: Int64) {
        responseStart = responseStart ?? place.lowerBound
        let framing = Int64(place.count) - bodyByteCount
        let chunkEnd: Int64 = bodyByteCount > 0 && framing > 0 ? 2 : 0
        sent.append(byteCount: framing - chunkEnd, isBody: false)
        sent.append(byteCount: bodyByteCount, isBody: true)
        sent.append(byteCount: chunkEnd, isBody: false)
    }

    /// The last record of the exchange, with the abort cause if it was aborted.
    mutating func record(endMicroseconds: Int64, abortCause: AbortCause?) -> UsageRecord {
        let outcome: UsageRecord.Outcome = isMalformed ? .malformed : responseAccepted ? .complete : .aborted
        return cut(exchange.settled(), outcome: outcome, abortCause: abortCause, at: endMicroseconds)
    }

    /// A record of the bytes and the bill since the last one, while the exchange continues; `nil` when there are neither.
    mutating func part(_ filing: Exchange.Filing, at microseconds: Int64) -> UsageRecord? {
        guard
            receivedWire > filed.received.wire || sent.confirmed.wire > filed.sent.wire
                || filing.billing != .firestore(.zero)
        else { return nil }
        return cut(filing, outcome: .complete, abortCause: nil, at: microseconds)
    }

    private mutating func cut(
        _ filing: Exchange.Filing,
        outcome: UsageRecord.Outcome,
        abortCause: AbortCause?,
        at microseconds: Int64
    ) -> UsageRecord {
        let received = TransferredBytes(header: receivedWire - receivedBody, body: receivedBody, wire: receivedWire)
        let sentBytes = sent.confirmed - filed.sent
        let record = UsageRecord(
            startMicroseconds: partStartMicroseconds,
            durationMicroseconds: max(0, microseconds - partStartMicroseconds),
            method: method,
            status: status,
            outcome: outcome,
            abortCause: outcome == .aborted ? abortCause : nil,
            attribution: filing.attribution,
            received: received - filed.received,
            sent: sentBytes,
            billed: filing.billing.billed(status: status, sentBodyBytes: sentBytes.body),
            notes: filing.notes
        )
        filed = (received, sent.confirmed)
        partStartMicroseconds = microseconds
        defer { isContinuation = true }
        return isContinuation ? record.countingNoRequest() : record
    }
}
