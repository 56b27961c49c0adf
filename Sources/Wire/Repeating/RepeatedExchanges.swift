// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOCore

/// The requests of a connection that were answered from memory and whose answers the kernel has not yet wholly taken.
///
/// They are many and alike, so next to nothing is kept of each: its record is the answer's own, with other times.
struct RepeatedExchanges {
    struct Tally {
        let answer: KeptAnswer
        let startMicroseconds: Int64
        /// Where the answer starts in the connection's stream of sent bytes.
        let responseStart: Int64

        func times(endMicroseconds: Int64) -> UsageRun.Times {
            UsageRun.Times(
                startMicroseconds: startMicroseconds,
                durationMicroseconds: max(0, endMicroseconds - startMicroseconds)
            )
        }
    }

    private var open: CircularBuffer<Tally> = []

    var isEmpty: Bool { open.isEmpty }

    mutating func began(_ answer: KeptAnswer, startMicroseconds: Int64, responseStart: Int64) {
        open.append(Tally(answer: answer, startMicroseconds: startMicroseconds, responseStart: responseStart))
    }

    /// The kernel has taken the oldest.
    mutating func accepted() -> Tally { open.removeFirst() }

    /// The connection has ended; returns the records.
    mutating func ended(_ end: ConnectionEnd, endMicroseconds: Int64) -> [UsageRecord] {
        defer { open.removeAll() }
        return open.map { tally in
            var record = tally.answer.record(at: tally.times(endMicroseconds: endMicroseconds))
            let sent = max(0, (end.sentByteCount ?? tally.responseStart) - tally.responseStart)
            record.cut(toSentByteCount: sent, cause: end.cause)
            return record
        }
    }
}
