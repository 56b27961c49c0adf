// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOCore

/// The requests of a connection that were answered from memory: those whose answers the kernel has not yet wholly taken,
/// and the last of those whose answers it has, see ``RecentAnswers``.
///
/// They are many and alike, so next to nothing is kept of each: its record is the answer's own, with other times.
struct RepeatedExchanges {
    fileprivate struct Tally {
        var answer: KeptAnswer
        var startMicroseconds: Int64
        var endMicroseconds: Int64
        /// Where the answer starts and ends in the connection's stream of sent bytes.
        var responseStart: Int64
        var responseEnd: Int64

        var times: UsageRun.Times {
            UsageRun.Times(
                startMicroseconds: startMicroseconds,
                durationMicroseconds: max(0, endMicroseconds - startMicroseconds)
            )
        }
        var record: UsageRecord { answer.record(at: times) }
    }

    /// The part that the kernel has taken, without the answer itself.
    struct Acceptance {
        let answer: ObjectIdentifier
        let receivedByteCount: Int64
        let sentByteCount: Int64
        let times: UsageRun.Times

        fileprivate init(_ tally: Tally) {
            answer = ObjectIdentifier(tally.answer)
            receivedByteCount = tally.answer.receivedByteCount
            sentByteCount = tally.responseEnd - tally.responseStart
            times = tally.times
        }
    }

    // A ring whose places are taken again, mostly for the answer that was there before: then nothing is retained or
    // released, which is most of what a queue takes here. First those that the kernel has taken.
    private var ring: [Tally] = []
    private var first = 0
    private var count = 0
    private var acceptedCount = 0
    /// A request came before the answer to another was taken.
    private var isPipelined = false
    /// Where the last that the kernel has taken ends in the connection's stream of sent bytes.
    private(set) var acceptedEnd: Int64 = 0

    /// Whether there is one that the kernel has not yet wholly taken.
    var isAwaitingDelivery: Bool { count > acceptedCount }

    mutating func began(_ answer: KeptAnswer, startMicroseconds: Int64, responseStart: Int64) {
        if count == ring.count { grow(answer) }
        if isAwaitingDelivery { isPipelined = true }
        let place = place(count)
        if ring[place].answer !== answer { ring[place].answer = answer }
        ring[place].startMicroseconds = startMicroseconds
        ring[place].responseStart = responseStart
        ring[place].responseEnd = responseStart + answer.byteCount
        count += 1
    }

    /// The kernel has taken the oldest that it had not.
    mutating func accepted(endMicroseconds: Int64) -> Acceptance {
        let place = place(acceptedCount)
        ring[place].endMicroseconds = endMicroseconds
        acceptedCount += 1
        acceptedEnd = ring[place].responseEnd
        forget()
        return Acceptance(ring[place])
    }

    /// Forgets what the kernel has taken and need no longer be remembered.
    private mutating func forget() {
        let countMax = isPipelined ? RecentAnswers.countMax : RecentAnswers.countMaxInTurn
        // Most often: then the oldest, which is long out of the processor's cache, is not looked at.
        if acceptedCount > countMax { return forgetFirst() }
        while RecentAnswers.forgets(ring[first].responseEnd, of: acceptedCount, endingAt: acceptedEnd) { forgetFirst() }
    }

    private mutating func forgetFirst() {
        first = place(1)
        acceptedCount -= 1
        count -= 1
    }

    /// The answer that the kernel has taken last.
    var lastAccepted: KeptAnswer { ring[place(acceptedCount - 1)].answer }

    /// Returns the records of answers that were cut after the kernel had taken them.
    func amendments(_ end: ConnectionEnd) -> [Amendment] {
        tallies(0..<acceptedCount).compactMap { Amendment(of: $0.record, start: $0.responseStart, to: end) }
    }

    /// The connection has ended; returns the records of those that the kernel had not wholly taken.
    mutating func ended(_ end: ConnectionEnd, endMicroseconds: Int64) -> [UsageRecord] {
        defer { count = acceptedCount }
        return tallies(acceptedCount..<count).map { tally in
            var tally = tally
            tally.endMicroseconds = endMicroseconds
            var record = tally.record
            let sent = max(0, (end.sentByteCount ?? tally.responseStart) - tally.responseStart)
            record.cut(toSentByteCount: sent, cause: end.cause)
            return record
        }
    }

    /// Where the tally of a number stands in the ring, whose size is a power of two.
    private func place(_ number: Int) -> Int { (first + number) & (ring.count - 1) }

    private func tallies(_ numbers: Range<Int>) -> [Tally] { numbers.map { ring[place($0)] } }

    private mutating func grow(_ answer: KeptAnswer) {
        let empty = Tally(answer: answer, startMicroseconds: 0, endMicroseconds: 0, responseStart: 0, responseEnd: 0)
        let sizeMin = 2 * RecentAnswers.countMin
        let emptyCount = max(ring.count, sizeMin)
        ring = tallies(0..<count) + Array(repeating: empty, count: emptyCount)
        first = 0
    }
}
