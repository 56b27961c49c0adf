// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Metering

/// The bytes of one response in the order in which they were handed to the socket, split into header and body.
///
/// When a connection breaks, ``settle(acceptedByteCount:)`` says how much of each had left.
struct SentSegments {
    private struct Segment {
        var byteCount: Int64
        let isBody: Bool
    }

    /// Bytes that are known to have been accepted by the kernel.
    private(set) var confirmed = TransferredBytes.zero
    private var pending: Deque<Segment> = []
    /// Past this many alternations of header and body the oldest count as gone, so that no stream grows the ledger.
    static let segmentCountMax = 1 << 16

    /// All bytes handed over so far, confirmed or not.
    private(set) var handedByteCount: Int64 = 0

    mutating func append(byteCount: Int64, isBody: Bool) {
        guard byteCount > 0 else { return }
        handedByteCount += byteCount
        if let last = pending.last, last.isBody == isBody {
            pending[pending.count - 1].byteCount += byteCount
        } else {
            pending.append(Segment(byteCount: byteCount, isBody: isBody))
            if pending.count > Self.segmentCountMax, let oldest = pending.popFirst() {
                confirm(oldest.byteCount, isBody: oldest.isBody)
            }
        }
    }

    /// Everything handed over so far has been accepted.
    mutating func confirmAll() {
        settle(acceptedByteCount: handedByteCount)
    }

    /// Confirms bytes, in order, until `acceptedByteCount` of this response are confirmed.
    mutating func settle(acceptedByteCount: Int64) {
        var remaining = min(acceptedByteCount, handedByteCount) - confirmed.wire
        while remaining > 0, let first = pending.first {
            let taken = min(remaining, first.byteCount)
            confirm(taken, isBody: first.isBody)
            remaining -= taken
            if taken == first.byteCount {
                _ = pending.removeFirst()
            } else {
                pending[0].byteCount -= taken
            }
        }
    }

    private mutating func confirm(_ byteCount: Int64, isBody: Bool) {
        confirmed =
            confirmed
            + TransferredBytes(
                header: isBody ? 0 : byteCount,
                body: isBody ? byteCount : 0,
                wire: byteCount
            )
    }
}

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

    private var answers: Deque<(record: UsageRecord, start: Int64)> = []
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
        answers.compactMap { record, start in Amendment(of: record, start: start, to: end) }
    }
}

/// The record of an answer that the kernel took as a whole, and what it is once some of the answer was thrown away.
struct Amendment {
    let former: UsageRecord
    let record: UsageRecord

    /// Cuts an answer that begins somewhere in the connection's stream of sent bytes; `nil` where all of it has left.
    init?(of former: UsageRecord, start: Int64, to end: ConnectionEnd) {
        guard let sent = end.sentByteCount, start + former.wireByteCounts.sent > sent else { return nil }
        var record = former
        record.cut(toSentByteCount: max(0, sent - start), cause: end.cause)
        self.former = former
        self.record = record
    }
}
