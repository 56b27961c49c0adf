// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// The bytes of one stream that are not yet in a record.
final class HTTP2StreamMeter {
    private struct Count {
        var framing: Int64 = 0
        var body: Int64 = 0

        var transferred: TransferredBytes {
            TransferredBytes(header: framing, body: body, wire: framing + body)
        }
    }

    let streamID: Int32
    let exchange: Exchange
    private var startMicroseconds: Int64
    private var received = Count()
    private var sent = Count()
    /// A record has been filed that counts the request.
    private var isCounted = false

    /// The HTTP method; `nil` until the request's head has been read.
    var method: String?
    /// The HTTP status; 0 until a response began.
    var status = 0
    /// Where, in the connection's stream of sent bytes, the last byte handed over for this stream ends.
    var handedEnd: Int64 = 0
    var requestEnded = false
    var responseEnded = false
    /// Who has reset the stream; `nil` while it is open.
    var resetCause: AbortCause?

    init(streamID: Int32, exchange: Exchange, startMicroseconds: Int64) {
        self.streamID = streamID
        self.exchange = exchange
        self.startMicroseconds = startMicroseconds
    }

    /// Whether no further frame belongs to the stream.
    var isOver: Bool { resetCause != nil || (requestEnded && responseEnded) }

    func resetBy(_ cause: AbortCause) { resetCause = resetCause ?? cause }

    func countReceived(framing: Int64, body: Int64) {
        received.framing += framing
        received.body += body
    }

    func countSent(framing: Int64, body: Int64) {
        sent.framing += framing
        sent.body += body
    }

    /// Takes back bytes that never left; those that are in a record already make the next one negative.
    func uncountSent(framing: Int64, body: Int64) { countSent(framing: -framing, body: -body) }

    /// Whether there is anything to file.
    var hasBytes: Bool { received.framing + received.body + sent.framing + sent.body != 0 }

    /// Returns what has passed since the last record, and begins a new count.
    func cut(
        _ filing: consuming Exchange.Filing,
        outcome: UsageRecord.Outcome,
        abortCause: AbortCause? = nil,
        at microseconds: Int64
    ) -> UsageRecord {
        let billed = filing.billing.billed(status: status, sentBodyBytes: sent.body)
        let record = UsageRecord(
            startMicroseconds: startMicroseconds,
            durationMicroseconds: max(0, microseconds - startMicroseconds),
            method: method ?? "",
            status: status,
            outcome: outcome,
            abortCause: outcome == .aborted ? abortCause : nil,
            attribution: filing.attribution,
            received: received.transferred,
            sent: sent.transferred,
            billed: billed,
            requestCount: isCounted ? 0 : 1,
            notes: filing.notes
        )
        startMicroseconds = microseconds
        received = Count()
        sent = Count()
        isCounted = true
        return record
    }
}
