// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MeterLedger
import Metering
import NIOConcurrencyHelpers
import Testing

struct QuotaTallyTests {
    /// 2026-03-08T07:59:59Z: a second before midnight in Los Angeles, on the eve of the day that has 23 hours there.
    private static let evening: Int64 = 1_772_956_799_000_000
    private static let hour: Int64 = 3_600_000_000

    private final class SettableClock: Sendable {
        let time = NIOLockedValueBox(evening)
        var now: @Sendable () -> Int64 { { [time] in time.withLockedValue { $0 } } }
        func advance(_ microseconds: Int64) { time.withLockedValue { $0 += microseconds } }
    }

    private let clock = SettableClock()

    private func tally(_ profile: PriceProfile = .spark2023, isEnforced: Bool = true) -> QuotaTally {
        QuotaTally(profile: profile, isEnforced: isEnforced, now: clock.now)
    }

    private func download(_ byteCount: Int64) -> UsageRecord {
        record(.storage, BilledUsage(egressBytes: byteCount, classB: 1))
    }

    private func record(_ service: UsageAttribution.Service, _ billed: BilledUsage) -> UsageRecord {
        UsageRecord(
            startMicroseconds: clock.now() - 5,
            durationMicroseconds: 5,
            method: "GET",
            status: 200,
            outcome: .complete,
            attribution: UsageAttribution(service: service, operation: "any"),
            received: .zero,
            sent: .zero,
            billed: billed
        )
    }

    @Test func `a quota is used up with the request that reaches it, and given anew at midnight in Los Angeles`() {
        let tally = tally()
        tally.record(download(999_999_999))
        #expect(!tally.isOver([.storageEgressBytes]))
        tally.record(download(1))
        #expect(tally.isOver([.storageClassB, .storageEgressBytes]))
        #expect(!tally.isOver([.storageClassA]))
        #expect(!tally.isOver([]))
        #expect(tally.status.day == "2026-03-07")
        #expect(tally.status.resetMicroseconds == Self.evening + 1_000_000)
        clock.advance(1_000_000)
        #expect(!tally.isOver([.storageEgressBytes]))
        #expect(tally.status.day == "2026-03-08")
        #expect(tally.status.use(.storageEgressBytes)?.used == 0)
        // Summer time begins: the day is an hour short.
        #expect(tally.status.resetMicroseconds == Self.evening + 1_000_000 + 23 * Self.hour)
    }

    @Test func `what is free by the month stays used until the month ends`() {
        let tally = tally()
        tally.record(record(.firestore, BilledUsage(egressBytes: 10 << 30, documentReads: 1)))
        clock.advance(2 * 24 * Self.hour)
        #expect(tally.isOver([.firestoreEgressBytes]))
        #expect(tally.status.use(.documentReads)?.used == 0)
        tally.advance(days: 21)
        #expect(tally.status.day == "2026-03-31")
        #expect(tally.isOver([.firestoreEgressBytes]))
        tally.advance(days: 1)
        #expect(tally.status.day == "2026-04-01")
        #expect(!tally.isOver([.firestoreEgressBytes]))
    }

    @Test func `a day can be advanced, and what was used is a day of the month before`() {
        let tally = tally()
        tally.record(download(2_000_000_000))
        #expect(tally.isOver([.storageEgressBytes]))
        tally.advance(days: 1)
        #expect(!tally.isOver([.storageEgressBytes]))
        tally.record(download(500))
        #expect(tally.status.use(.storageEgressBytes)?.used == 500)
    }

    @Test func `what is told late is of the day on which it ended, and a clock set back begins no day anew`() {
        let tally = tally()
        let late = download(700)
        clock.advance(2_000_000)
        tally.record(download(500))
        tally.record(late)
        #expect(tally.status.use(.storageEgressBytes)?.used == 500)
        clock.advance(-3_000_000)
        #expect(tally.status.use(.storageEgressBytes)?.used == 500)
        clock.advance(3_000_000)
        #expect(tally.status.use(.storageEgressBytes)?.used == 500)
    }

    @Test func `refuses nothing that is billed, or not enforced`() throws {
        let tallies = [tally(isEnforced: false), tally(try PriceProfile(named: "blaze-appspot"))]
        for tally in tallies {
            tally.record(download(5_000_000_000))
            #expect(!tally.isOver([.storageEgressBytes]))
            #expect(tally.status.use(.storageEgressBytes)?.isOver == true)
        }
        #expect(Bill.cents(tallies[1].status.usd) == Decimal(string: "0.44"))
    }

    @Test func `goes on with what was used before in the month`() {
        let tally = tally()
        let billed = BilledUsage(egressBytes: 600_000_000)
        tally.add(billed, of: .storage, at: tally.monthStart - 1)
        tally.add(billed, of: .storage, at: tally.monthStart)
        tally.add(billed, of: .storage, at: Self.evening - Self.hour)
        #expect(tally.status.use(.storageEgressBytes)?.used == 600_000_000)
        tally.record(download(400_000_000))
        #expect(tally.isOver([.storageEgressBytes]))
    }

    @Test(
        arguments: [
            ("spark-2023", 412_345_678, 1_204, "today: 412 MB of 1 GB, 41% · 1,204 reads"),
            ("spark-2023", 0, 0, "today: 0 B of 1 GB, 0% · 0 reads"),
            ("spark-2023", 1_234_567_890, 1, "today: 1.23 GB of 1 GB, 123% · 1 reads"),
            ("blaze-appspot", 1_500_000, 7, "today: 1 MiB of 1 GiB, 0%"),
            ("blaze-firebasestorage-app+firestore-nam5", 2_000, 7, "this month: 1 KiB of 100 GiB, 0% · 7 reads"),
            (
                "blaze-appspot+firestore-nam5", 11 << 30, 60_000,
                "today: 11 GiB of 1 GiB, 1100% · 60,000 reads · $1.21 this month"
            ),
            ("firestore-nam5", 5, 1_234_567, "1,234,567 reads · $0.71 this month"),
        ]
    )
    func `tells it in a line`(_ profile: String, _ bytes: Int64, _ reads: Int64, _ line: String) throws {
        let tally = tally(try PriceProfile(named: profile))
        tally.record(record(.storage, BilledUsage(egressBytes: bytes)))
        tally.record(record(.firestore, BilledUsage(documentReads: reads)))
        #expect(tally.status.line == line)
    }
}

struct QuotaForecastTests {
    private static let start: Int64 = 1_772_900_000_000_000
    private static let second: Int64 = 1_000_000

    private let time = NIOLockedValueBox(start)

    private func tally() -> QuotaTally {
        QuotaTally(profile: .spark2023, isEnforced: false) { [time] in time.withLockedValue(\.self) }
    }

    private func pass(_ seconds: Int64) { time.withLockedValue { $0 += seconds * Self.second } }

    private func download(_ byteCount: Int64, to tally: QuotaTally) {
        tally.record(
            UsageRecord(
                startMicroseconds: time.withLockedValue(\.self),
                durationMicroseconds: 0,
                method: "GET",
                status: 200,
                outcome: .complete,
                attribution: UsageAttribution(service: .storage, operation: "any"),
                received: .zero,
                sent: .zero,
                billed: BilledUsage(egressBytes: byteCount)
            )
        )
    }

    private func end(of tally: QuotaTally) -> Int64? {
        tally.status.use(.storageEgressBytes)?.endMicroseconds.map { ($0 - Self.start) / Self.second }
    }

    @Test func `a free amount ends at the pace of the last minutes`() {
        let tally = tally()
        _ = tally.status
        pass(10)
        download(100_000_000, to: tally)
        // 10 MB a second, of which 900 are left.
        #expect(end(of: tally) == 100)
    }

    @Test func `where nothing was used lately, no end is in sight`() {
        let tally = tally()
        download(100_000_000, to: tally)
        pass(600)
        _ = tally.status
        pass(2)
        #expect(end(of: tally) == nil)
    }

    @Test func `an end behind midnight is none, for the amount begins again`() {
        let tally = tally()
        _ = tally.status
        pass(100)
        download(100, to: tally)
        #expect(end(of: tally) == nil)
    }
}
