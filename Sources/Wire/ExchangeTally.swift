// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// The bytes of one exchange while it is open.
struct ExchangeTally {
    let exchange: Exchange
    let method: String
    let startMicroseconds: Int64
    /// Where this exchange's response starts in the connection's stream of sent bytes.
    var responseStart: Int64?
    var receivedWire: Int64 = 0
    var receivedBody: Int64 = 0
    var sent = SentSegments()
    var status = 0
    var requestEnded = false
    /// The last byte of the response has been handed to the channel.
    var responseHanded = false
    /// The kernel has accepted the last byte of the response.
    var responseAccepted = false
    var isMalformed = false
    /// More of what another record counts as a request.
    var isContinuation = false

    var isFinished: Bool { requestEnded && responseAccepted }

    /// The record of the exchange, which has ended; `abortCause` is why it broke off, in case it did.
    func record(endMicroseconds: Int64, abortCause: AbortCause?) -> UsageRecord {
        let filing = exchange.settled()
        let sentBytes = sent.confirmed
        let outcome: UsageRecord.Outcome = isMalformed ? .malformed : responseAccepted ? .complete : .aborted
        let record = UsageRecord(
            startMicroseconds: startMicroseconds,
            durationMicroseconds: max(0, endMicroseconds - startMicroseconds),
            method: method,
            status: status,
            outcome: outcome,
            abortCause: outcome == .aborted ? abortCause : nil,
            attribution: filing.attribution,
            received: TransferredBytes(header: receivedWire - receivedBody, body: receivedBody, wire: receivedWire),
            sent: sentBytes,
            billed: filing.billing.billed(status: status, sentBodyBytes: sentBytes.body)
        )
        return isContinuation ? record.countingNoRequest() : record
    }
}
