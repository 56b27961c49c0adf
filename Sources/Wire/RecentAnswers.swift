// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOCore

/// The last answers of a connection that the kernel took as a whole, some of which it throws away if the client resets
/// the connection: it takes more than it has sent.
struct RecentAnswers {
    /// So many are remembered: clients that do not pipeline wait for one at a time.
    static let countMax = 16

    private var answers: CircularBuffer<(record: UsageRecord, start: Int64)> = []

    /// Remembers an answer that begins somewhere in the connection's stream of sent bytes.
    mutating func append(_ record: UsageRecord, start: Int64) {
        if answers.count == Self.countMax { answers.removeFirst() }
        answers.append((record, start))
    }

    /// Returns the records of answers that were cut, before and after, once so many of the connection's bytes have left.
    func amendments(_ end: ConnectionEnd) -> [(former: UsageRecord, record: UsageRecord)] {
        guard let sent = end.sentByteCount else { return [] }
        return answers.filter { $0.start + $0.record.wireByteCounts.sent > sent }.map { former, start in
            var record = former
            record.cut(toSentByteCount: max(0, sent - start), cause: end.cause)
            return (former, record)
        }
    }
}

extension UsageRecord {
    /// Makes this the record of an answer that broke off; its head went before its body.
    fileprivate mutating func cut(toSentByteCount count: Int64, cause: AbortCause?) {
        let header = min(count, self.sent.header)
        let body = min(count - header, self.sent.body)
        self.sent = TransferredBytes(header: header, body: body, wire: header + body)
        self.billed.egressBytes = min(self.billed.egressBytes, body)
        self.outcome = .aborted
        self.abortCause = cause
    }
}
