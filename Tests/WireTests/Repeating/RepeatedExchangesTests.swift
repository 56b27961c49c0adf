// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import Testing

@testable import Wire

struct RepeatedExchangesTests {
    private static let byteCount: Int64 = 1_100

    private let answers = ["a", "b", "c"].map(KeptAnswer.download)
    private var exchanges = RepeatedExchanges()
    private var begunCount = 0
    private var acceptedCount = 0

    /// Begins some, each a microsecond after the one before, which is how they are distinguished.
    private mutating func begin(_ count: Int) {
        for _ in 0..<count {
            exchanges.began(
                answers[begunCount % answers.count],
                startMicroseconds: Int64(begunCount),
                responseStart: Int64(begunCount) * Self.byteCount
            )
            begunCount += 1
        }
    }

    /// The kernel takes some; each is the next that has begun.
    private mutating func accept(_ count: Int) {
        for _ in 0..<count {
            let accepted = exchanges.accepted(endMicroseconds: Int64(acceptedCount) + 7)
            let answer = answers[acceptedCount % answers.count]
            #expect(accepted.answer == ObjectIdentifier(answer))
            #expect(exchanges.lastAccepted === answer)
            #expect(accepted.times.startMicroseconds == Int64(acceptedCount))
            #expect(accepted.times.durationMicroseconds == 7)
            #expect(accepted.sentByteCount == Self.byteCount)
            #expect(accepted.receivedByteCount == answer.receivedByteCount)
            acceptedCount += 1
            #expect(exchanges.acceptedEnd == Int64(acceptedCount) * Self.byteCount)
            #expect(exchanges.isAwaitingDelivery == (acceptedCount < begunCount))
        }
    }

    private func amended(afterSending count: Int64) -> [Int64] {
        exchanges.amendments(ConnectionEnd(sentByteCount: count)).map(\.former.startMicroseconds)
    }

    @Test func `answers are taken in order, however many wait`() {
        var test = self
        // Past the ring's first size while it is wrapped, and again.
        for (begun, accepted) in [(20, 20), (50, 45), (300, 10), (0, 295), (5, 5)] {
            test.begin(begun)
            test.accept(accepted)
        }
        #expect(test.begunCount == test.acceptedCount)
    }

    @Test(arguments: [(true, 256), (false, 31)])
    func `the last answers are remembered, more of them where requests do not wait`(_ isPipelined: Bool, _ count: Int) {
        var test = self
        if isPipelined {
            test.begin(1_000)
            test.accept(1_000)
        } else {
            for _ in 0..<1_000 {
                test.begin(1)
                test.accept(1)
            }
        }
        #expect(test.amended(afterSending: 0) == Array(Int64(1_000 - count)..<1_000))
        #expect(test.amended(afterSending: 998 * Self.byteCount) == [998, 999])
        #expect(test.amended(afterSending: 998 * Self.byteCount + 1) == [998, 999])
        #expect(test.amended(afterSending: 1_000 * Self.byteCount).isEmpty)
    }

    @Test func `what the kernel has not taken ends with the connection`() {
        var test = self
        test.begin(40)
        test.accept(38)
        let end = ConnectionEnd(sentByteCount: 38 * Self.byteCount + 150)
        let records = test.exchanges.ended(end, endMicroseconds: 100)
        #expect(records.map(\.startMicroseconds) == [38, 39])
        #expect(records.map(\.durationMicroseconds) == [62, 61])
        #expect(records.map(\.sent.wire) == [150, 0])
        #expect(records.map(\.sent.body) == [50, 0])
        #expect(records.map(\.outcome) == [.aborted, .aborted])
        #expect(!test.exchanges.isAwaitingDelivery)
        #expect(test.exchanges.ended(end, endMicroseconds: 100).isEmpty)
    }
}
