// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering
import Testing

/// The worked example of a feed's bill, to the cent: 5,000 daily users open a feed of 20 posts with 4 images three times.
///
/// Thirty days; an image has 350,000 bytes, a thumbnail 40,000; 30 thumbnails are new to each user each day.
struct WorkedExampleTests {
    struct Strategy: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: Int64
        let downloads: Int64
        let reads: Int64
        /// US dollars a month: egress, operations, both together, for the two kinds of buckets.
        let appspot: [String]
        let firebasestorage: [String]
        /// With reads in us-central1.
        let totals: [String]

        var testDescription: String { name }
    }

    static let strategies = [
        Strategy(
            name: "A: all images at each open",
            bytes: users * opens * posts * images * 350_000,
            downloads: users * opens * posts * images,
            reads: users * opens * posts,
            appspot: ["1404.56", "13.80", "1418.36"],
            firebasestorage: ["1381.21", "14.38", "1395.59"],
            totals: ["1420.61", "1397.84"]
        ),
        Strategy(
            name: "A0: and a download URL asked for each",
            bytes: users * opens * posts * images * 350_000,
            downloads: 2 * users * opens * posts * images,
            reads: users * opens * posts,
            appspot: ["1404.56", "28.20", "1432.76"],
            firebasestorage: ["1381.21", "28.78", "1409.99"],
            totals: ["1435.01", "1412.24"]
        ),
        Strategy(
            name: "B: thumbnails",
            bytes: users * opens * posts * 40_000,
            downloads: users * opens * posts,
            reads: users * opens * posts,
            appspot: ["36.63", "3.00", "39.63"],
            firebasestorage: ["28.23", "3.58", "31.81"],
            totals: ["41.88", "34.06"]
        ),
        Strategy(
            name: "C: thumbnails, cached and revalidated",
            bytes: users * new * 40_000,
            downloads: users * opens * posts,
            reads: users * opens * posts,
            appspot: ["16.52", "3.00", "19.52"],
            firebasestorage: ["8.12", "3.58", "11.70"],
            totals: ["21.77", "13.95"]
        ),
        Strategy(
            name: "D: thumbnails, cached by generation",
            bytes: users * new * 40_000,
            downloads: users * new,
            reads: users * opens * posts,
            appspot: ["16.52", "1.20", "17.72"],
            firebasestorage: ["8.12", "1.78", "9.90"],
            totals: ["19.97", "12.15"]
        ),
        Strategy(
            name: "E: and only changed documents read",
            bytes: users * new * 40_000,
            downloads: users * new,
            reads: users * new,
            appspot: ["16.52", "1.20", "17.72"],
            firebasestorage: ["8.12", "1.78", "9.90"],
            totals: ["18.62", "10.80"]
        ),
        Strategy(
            name: "F: and one post opened each time",
            bytes: users * new * 40_000 + users * opens * images * 350_000,
            downloads: users * new + users * opens * images,
            reads: users * new,
            appspot: ["86.92", "1.92", "88.84"],
            firebasestorage: ["78.52", "2.50", "81.02"],
            totals: ["89.74", "81.92"]
        ),
    ]

    private static let users: Int64 = 5_000
    private static let opens: Int64 = 3
    private static let posts: Int64 = 20
    private static let images: Int64 = 4
    private static let new: Int64 = 30

    private static func bill(_ strategy: Strategy, _ profile: String) throws -> Bill {
        let day: [BillableItem: Int64] = [
            .storageEgressBytes: strategy.bytes, .storageClassB: strategy.downloads, .documentReads: strategy.reads,
            .firestoreEgressBytes: strategy.reads * 1_000,
        ]
        return try PriceProfile(named: profile).bill(ofMonth: Array(repeating: day, count: 30))
    }

    private static func cents(_ bill: Bill, _ items: [BillableItem]) -> String {
        let usd = bill.lines.filter { items.contains($0.item) }.reduce(Decimal(0)) { $0 + $1.usd }
        return text(usd)
    }

    private static func text(_ usd: Decimal) -> String {
        String(format: "%.2f", NSDecimalNumber(decimal: Bill.cents(usd)).doubleValue)
    }

    @Test(arguments: strategies)
    func `costs what the example says`(_ strategy: Strategy) throws {
        for (profile, expected, total) in [
            ("blaze-appspot", strategy.appspot, strategy.totals[0]),
            ("blaze-firebasestorage-app", strategy.firebasestorage, strategy.totals[1]),
        ] {
            let bill = try Self.bill(strategy, "\(profile)+firestore-us-central1")
            let storage: [BillableItem] = [.storageEgressBytes, .storageClassA, .storageClassB]
            let figures = [[storage[0]], [storage[2]], storage].map { Self.cents(bill, $0) }
            #expect(figures == expected)
            #expect(Self.text(bill.usd) == total)
        }
    }

    @Test(arguments: [
        ("us-central1", 300_000, "2.25"), ("nam5", 300_000, "4.50"), ("us-central1", 150_000, "0.90"),
        ("nam5", 150_000, "1.80"),
    ])
    func `reads cost what the example says`(_ region: String, _ reads: Int64, _ usd: String) throws {
        let profile = try PriceProfile(named: "firestore-\(region)")
        let bill = profile.bill(ofMonth: Array(repeating: [.documentReads: reads], count: 30))
        #expect(Self.text(bill.usd) == usd)
    }
}
