// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering
import Testing

/// Google's billing example of a chat app with a tenth of its installations in use each day, in nam5.
///
/// Source: cloud.google.com/firestore/docs/billing-example, read on 2026-11-22. It rounds the dollars of a day before it
/// multiplies by 30, writes down and deletes up, which cancel out: the sums are those without rounding.
struct PublishedBillTests {
    struct App: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let dailyUsers: Int64
        let operations: String
        let egress: String
        let storage: String
        let total: String
    }

    /// Of each daily user: 80 reads, 20 writes and as many deletes, and 20 KB sent a day.
    ///
    /// The example's GB are a million KB, and the price list's are GiB.
    private static func bill(_ app: App) throws -> Bill {
        let kilobytesOfGigabyte: Int64 = 1_000_000
        let stored = 30 * 45 * app.dailyUsers
        let day: [BillableItem: Int64] = [
            .documentReads: 80 * app.dailyUsers, .documentWrites: 20 * app.dailyUsers,
            .documentDeletes: 20 * app.dailyUsers,
            .firestoreEgressBytes: (20 * app.dailyUsers << 30) / kilobytesOfGigabyte,
            .firestoreStoredBytes: (stored << 30) / kilobytesOfGigabyte,
        ]
        return try PriceProfile(named: "firestore-nam5").bill(ofMonth: Array(repeating: day, count: 30))
    }

    private static func text(_ usd: Decimal) -> String {
        String(format: "%.2f", NSDecimalNumber(decimal: Bill.cents(usd)).doubleValue)
    }

    @Test(
        arguments: [
            App(
                testDescription: "small (50,000 installations)",
                dailyUsers: 5_000,
                operations: "11.10",
                egress: "0.00",
                storage: "1.04",
                total: "12.14"
            ),
            App(
                testDescription: "medium (1,000,000 installations)",
                dailyUsers: 100_000,
                operations: "261.90",
                egress: "6.00",
                storage: "24.12",
                total: "292.02"
            ),
            App(
                testDescription: "large (10,000,000 installations)",
                dailyUsers: 1_000_000,
                operations: "2637.90",
                egress: "70.80",
                storage: "242.82",
                total: "2951.52"
            ),
        ]
    )
    func `costs what Google says`(_ app: App) throws {
        let bill = try Self.bill(app)
        let usd = Dictionary(uniqueKeysWithValues: bill.lines.map { ($0.item, $0.usd) })
        let operations = [.documentReads, .documentWrites, .documentDeletes].reduce(Decimal(0)) { $0 + (usd[$1] ?? 0) }
        #expect(Self.text(operations) == app.operations)
        #expect(Self.text(usd[.firestoreEgressBytes] ?? -1) == app.egress)
        #expect(Self.text(usd[.firestoreStoredBytes] ?? -1) == app.storage)
        #expect(Self.text(bill.usd) == app.total)
    }

    @Test(arguments: [(50_000, "0.0009"), (1_000_000, "0.018"), (10_000_000, "0.18")] as [(Int64, String)])
    func `a daily count of messages costs what Google says`(_ messages: Int64, _ usd: String) throws {
        let profile = try PriceProfile(named: "firestore-nam5")
        let free = Array(repeating: [BillableItem.documentReads: Int64(50_000)], count: 30)
        let counting = Array(repeating: [BillableItem.documentReads: 50_000 + messages / 1_000], count: 30)
        #expect(profile.bill(ofMonth: counting).usd - profile.bill(ofMonth: free).usd == Decimal(string: usd))
    }

    @Test(
        "users of a month cost what the tables of Identity Platform say",
        arguments: [(50_000, 0), (100_000, 275), (1_000_000, 4_415), (10_000_000, 33_215), (20_000_000, 58_215)]
            as [(Int64, Decimal)]
    )
    func activeUsers(_ users: Int64, _ usd: Decimal) throws {
        let profile = try PriceProfile(named: "identity-platform")
        #expect(profile.bill(ofMonth: [[.tier1ActiveUsers: users]]).usd == usd)
    }
}
