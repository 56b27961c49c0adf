// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering
import Testing

@testable import Auditing

@Suite struct ForecastTests {
    /// The baseline of the worked example in the reference facts: 84 MB, 240 downloads and 60 reads for each user and day.
    private static let example: ServiceUsage = {
        var usage = ServiceUsage()
        usage.add(BilledUsage(egressBytes: 84_000_000, classB: 240), to: .storage)
        usage.add(BilledUsage(egressBytes: 60_000, documentReads: 60), to: .firestore)
        return usage
    }()

    private func forecast(
        _ profile: String,
        of usage: ServiceUsage = example,
        userDays: Int64 = 1,
        users: Int64 = 5_000
    ) throws -> Forecast {
        Forecast(usage, profile: try PriceProfile(named: profile), userDayCount: userDays, dailyUserCount: users)
    }

    @Test(arguments: [
        ("blaze-appspot", "1418.36"), ("blaze-firebasestorage-app", "1395.59"), ("firestore-us-central1", "2.25"),
        ("firestore-nam5", "4.5"), ("blaze-appspot+firestore-us-central1", "1420.61"), ("spark-2023", "0"),
    ])
    func `a month costs what the worked example says`(profile: String, usd: String) throws {
        let forecast = try forecast(profile)
        #expect(Bill.cents(forecast.usdPerMonth) == Decimal(string: usd))
        #expect(forecast.hasPrices == (profile != "spark-2023"))
    }

    @Test func `users of a log stand for as many as there are`() throws {
        var five = ServiceUsage()
        for _ in 0..<5 { five.add(Self.example) }
        let one = try forecast("blaze-appspot")
        let other = try forecast("blaze-appspot", of: five, userDays: 5)
        #expect(one.usdPerMonth == other.usdPerMonth)
        #expect(one.usdPerMonth(dailyUserCount: 1_000) < one.usdPerMonth / 5)
    }

    @Test func `a user's day costs the first price, as if nothing were free`() throws {
        // 84 MB at $0.12 for 2^30 bytes, and 240 downloads at $0.004 for 10,000.
        let expected = 84_000_000 * 0.12 / 1_073_741_824 + 240 * 0.004 / 10_000
        let usd = NSDecimalNumber(decimal: try forecast("blaze-appspot").usdPerUserDay).doubleValue
        #expect(abs(usd - expected) < 1e-12)
    }

    @Test func `free amounts run out each day, or on a day of the month`() throws {
        let daily = try #require(forecast("spark-2023", users: 12).quotas.first)
        #expect((daily.item, daily.period, daily.runsOutOnDay) == (.storageEgressBytes, .day, 1))
        #expect(abs(daily.percent - 100.8) < 1e-9)
        #expect(try forecast("spark-2023", users: 11).quotas.first?.runsOutOnDay == nil)
        // 100 GiB are used up by 84 MB for each of 100 users on the thirteenth day.
        let monthly = try #require(forecast("blaze-firebasestorage-app", users: 100).quotas.first)
        #expect((monthly.period, monthly.runsOutOnDay) == (.month, 13))
        #expect(try forecast("blaze-firebasestorage-app", users: 40).quotas.first?.runsOutOnDay == nil)
    }

    @Test func `what is not used has no share`() throws {
        var reads = ServiceUsage()
        reads.add(BilledUsage(documentReads: 25_000), to: .firestore)
        let quotas = try forecast("spark-2023", of: reads, users: 1).quotas
        #expect(quotas.map(\.item) == [.documentReads])
        #expect(quotas.map(\.percent) == [50])
    }
}
