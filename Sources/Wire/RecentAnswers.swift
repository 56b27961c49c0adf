// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOCore

/// The last answers of a connection that the kernel took as a whole, some of which it throws away if the client resets
/// the connection: it takes more than it has sent.
struct RecentAnswers {
    /// An answer, as far as its record can be made of it.
    enum Answer {
        case recorded(UsageRecord)
        case repeated(KeptAnswer, UsageRun.Times)

        fileprivate var record: UsageRecord {
            switch self {
            case .recorded(let record): record
            case .repeated(let answer, let times): answer.record(at: times)
            }
        }
    }

    /// So many are remembered at least: clients that do not pipeline wait for one at a time.
    static let countMin = 16
    /// So many are remembered at most.
    static let countMax = 256
    /// As many bytes are remembered, if that takes no more answers: the kernel seldom takes more before it has sent them.
    static let byteCount: Int64 = 512 << 10

    private var answers: CircularBuffer<(answer: Answer, start: Int64, end: Int64)> = []

    /// Remembers an answer that begins somewhere in the connection's stream of sent bytes.
    mutating func append(_ answer: Answer, start: Int64, byteCount: Int64) {
        answers.append((answer, start, start + byteCount))
        while answers.count > Self.countMin, let first = answers.first,
            answers.count > Self.countMax || start + byteCount - first.end > Self.byteCount
        {
            answers.removeFirst()
        }
    }

    /// Where the last answer ends in the connection's stream of sent bytes.
    var end: Int64? { answers.last?.end }

    /// Returns the records of answers that were cut, before and after, once so many of the connection's bytes have left.
    func amendments(_ end: ConnectionEnd) -> [(former: UsageRecord, record: UsageRecord)] {
        guard let sent = end.sentByteCount else { return [] }
        return answers.filter { $0.end > sent }.map { answer in
            let former = answer.answer.record
            var record = former
            record.cut(toSentByteCount: max(0, sent - answer.start), cause: end.cause)
            return (former, record)
        }
    }
}
