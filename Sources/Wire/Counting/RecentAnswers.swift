// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOCore

/// The last answers of a connection that the kernel took as a whole, some of which it throws away if the client resets
/// the connection: it takes more than it has sent.
struct RecentAnswers {
    /// This many are remembered at least: clients that do not pipeline wait for one at a time.
    static let countMin = 16
    /// This many are remembered at most.
    static let countMax = 256
    /// The count where the kernel takes each answer before the next request comes: more would not stay in the processor's
    /// cache.
    static let countMaxInTurn = 31
    /// As many bytes are remembered, if that takes no more answers: the kernel seldom takes more before it has sent them.
    static let byteCount: Int64 = 512 << 10

    private var answers: CircularBuffer<(record: UsageRecord, start: Int64)> = []
    /// Where the last answer ends in the connection's stream of sent bytes.
    private(set) var end: Int64 = 0

    /// Remembers an answer that begins somewhere in the connection's stream of sent bytes.
    mutating func append(_ record: UsageRecord, start: Int64) {
        answers.append((record, start))
        end = start + record.wireByteCounts.sent
        while let (record, start) = answers.first,
            Self.forgets(start + record.wireByteCounts.sent, of: answers.count, endingAt: end)
        {
            answers.removeFirst()
        }
    }

    /// Whether the oldest of a number of answers, which ends somewhere, need no longer be remembered.
    static func forgets(_ oldestEnd: Int64, of count: Int, endingAt end: Int64) -> Bool {
        count > countMin && (count > countMax || end - oldestEnd > byteCount)
    }

    /// Returns the records of answers that were cut, before and after, once a number of the connection's bytes have left.
    func amendments(_ end: ConnectionEnd) -> [Amendment] {
        answers.compactMap { record, start in Amendment(of: record, start: start, end) }
    }
}

/// The record of an answer that the kernel took as a whole, and what it is once some of the answer was thrown away.
struct Amendment {
    let former: UsageRecord
    let record: UsageRecord

    /// Cuts an answer that begins somewhere in the connection's stream of sent bytes; `nil` where all of it has left.
    init?(of former: UsageRecord, start: Int64, _ end: ConnectionEnd) {
        guard let sent = end.sentByteCount, start + former.wireByteCounts.sent > sent else { return nil }
        var record = former
        record.cut(toSentByteCount: max(0, sent - start), cause: end.cause)
        self.former = former
        self.record = record
    }
}
