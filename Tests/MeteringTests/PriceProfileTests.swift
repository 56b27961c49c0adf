// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering
import Testing

struct PriceProfileTests {
    private static let lines = [
        #"{"#,
        #"  "schema": "firemeter.profile/1", "name": "mine", "title": "Mine","#,
        #"  "asOf": "2026-11-22","#,
        #"  "resetZone": "America/Los_Angeles", "overQuota": "billed","#,
        #"  "charges": ["#,
        #"    {"#,
        #"      "item": "storage.egressBytes","#,
        #"      "free": {"amount": "2 GB", "per": "month"},"#,
        #"      "prices": [{"usd": 0.2, "per": "1 GB", "upTo": "10 GB"},"#,
        #"                 {"usd": 0.1, "per": "1 GB"}],"#,
        #"      "asOf": "2026-11-22", "certainty": "unverified", "source": "me""#,
        #"    },"#,
        #"    {"item": "storage.classB", "prices": [{"usd": 1, "per": "1000"}],"#,
        #"     "asOf": "2026-11-22", "certainty": "documented", "source": "me"}"#,
        #"  ]"#,
        #"}"#,
    ]

    private static func profile(replacing old: String = "", with new: String = "") throws -> PriceProfile {
        let text = lines.joined(separator: "\n")
        return try PriceProfile(
            reading: Array((old.isEmpty ? text : text.replacing(old, with: new, maxReplacements: 1)).utf8)
        )
    }

    @Test func `reads a profile`() throws {
        let profile = try Self.profile()
        #expect(profile.name == "mine")
        #expect(profile.charges.map(\.item) == [.storageEgressBytes, .storageClassB])
        #expect(profile.charges[0].free?.amount == 2_000_000_000)
        #expect(profile.charges[0].free?.period == .month)
        #expect(profile.charges[0].prices.map(\.upTo) == [10_000_000_000, nil])
        #expect(profile.charges[1].free == nil)
        #expect(profile.charges.map(\.certainty) == [.unverified, .documented])
    }

    @Test(
        "refuses a bad profile with its line and the reason",
        arguments: [
            (#""mine", "title""#, #""mine" "title""#, "line 2: expected ',' or '}'"),
            (#""mine""#, "7", "line 2: 'name': expected a string"),
            ("profile/1", "profile/9", "line 2: 'schema': this version reads 'firemeter.profile/1' only"),
            (#""title""#, #""titel""#, "line 2: 'titel': means nothing here; expected one of"),
            (#""title": "Mine","#, "", "line 1: 'title': is missing"),
            (#"2026-11-22"#, "22.11.2026", "line 3: 'asOf': expected a day, YYYY-MM-DD"),
            ("America/Los_Angeles", "Pacific", "line 4: 'resetZone': is no time zone, such as America/Los_Angeles"),
            (#""billed""#, #""ignored""#, "line 4: 'overQuota': expected one of billed, refused"),
            (
                "storage.egressBytes", "storage.bytes",
                "line 7: 'item': expected one of storage.egressBytes, storage.classA"
            ),
            ("2 GB", "2 gigabytes", "line 8: 'amount': expected bytes with their unit, such as 1 GiB"),
            ("2 GB", "2", "line 8: 'amount': expected bytes with their unit"),
            ("2 GB", "-2 GB", "line 8: 'amount': expected bytes with their unit"),
            ("2 GB", "9999999999 TiB", "line 8: 'amount': expected bytes with their unit"),
            (#""month""#, #""week""#, "line 8: 'per': expected one of day, month"),
            ("0.2", "-0.2", "line 9: 'usd': expected a number from 0 to a billion"),
            ("0.2", "1e127", "line 9: 'usd': expected a number from 0 to a billion"),
            (#", "upTo": "10 GB""#, "", "line 9: 'prices': 'upTo' must be in every price but the last"),
            (
                #"0.1, "per": "1 GB""#, #"0.1, "per": "1 GB", "upTo": "20 GB""#,
                "line 10: 'prices': 'upTo' must be in every"
            ),
            (
                #"{"usd": 0.1"#, #"{"usd": 0.3, "per": "1 GB", "upTo": "9 GB"}, {"usd": 0.1"#,
                "line 10: 'prices': 'upTo' must grow"
            ),
            ("1000", "1 GB", "line 13: 'per': expected a count, such as 10000"),
            (
                #""storage.classB", "prices": [{"usd": 1, "per": "1000"}]"#, #""storage.egressBytes", "prices": []"#,
                "line 13: 'charges': 'storage.egressBytes' has a price before"
            ),
            (#""documented""#, #""sure""#, "line 14: 'certainty': expected one of documented, second-hand, unverified"),
        ]
    )
    func refuses(old: String, new: String, reason: String) throws {
        let error = #expect(throws: ProfileError.self) { try Self.profile(replacing: old, with: new) }
        #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: PriceProfile.shippedNames)
    func `every profile that ships names the source and the day of each of its figures`(_ name: String) throws {
        let profile = try PriceProfile(named: name)
        #expect(profile.name == name)
        #expect(!profile.charges.isEmpty)
        for charge in profile.charges {
            #expect(charge.source.count > 20)
            #expect(charge.asOf.hasPrefix("2026-"))
            #expect((profile.overQuota == .refused) == charge.prices.isEmpty)
        }
    }

    @Test func `tiers count all that was used, and what is free lies at the bottom`() throws {
        let profile = try Self.profile()
        // 2 GB free, 8 at 0.2, the rest at 0.1.
        let cases: [(gigabytes: Int64, usd: Decimal)] = [(0, 0), (2, 0), (3, 0.2), (10, 1.6), (11, 1.7), (20, 2.6)]
        for (gigabytes, usd) in cases {
            let bill = profile.bill(ofMonth: [[.storageEgressBytes: gigabytes * 1_000_000_000]])
            #expect(bill.usd == usd)
            #expect(bill.lines[0].free == min(gigabytes, 2) * 1_000_000_000)
        }
    }

    @Test func `what is free by the day is not saved up`() throws {
        let profile = try PriceProfile(named: "blaze-appspot")
        let gibibyte: Int64 = 1 << 30
        let uneven = profile.bill(ofMonth: [[.storageEgressBytes: 0], [.storageEgressBytes: 2 * gibibyte]])
        let even = profile.bill(ofMonth: [[.storageEgressBytes: gibibyte], [.storageEgressBytes: gibibyte]])
        #expect((uneven.usd, even.usd) == (0.12, 0))
    }

    @Test func `a gigabyte is a gigabyte and a gibibyte a gibibyte`() {
        #expect(PriceProfile.spark2023.freePerDay(.storageEgressBytes) == 1_000_000_000)
        #expect(PriceProfile.spark2023.downloadPercent(of: 2_500_000_000) == 250)
        #expect(PriceProfile.spark2023.asOf == "2026-02-03")
    }

    @Test(
        arguments: [
            ("blaze-1999", "'blaze-1999' is no file, and none of the profiles blaze-appspot, "),
            ("", "'' is no file"),
            (
                "blaze-appspot+blaze-firebasestorage-app",
                "both blaze-appspot and blaze-firebasestorage-app have a price"
            ),
            ("firestore-nam5+firestore-us-central1", "both firestore-nam5 and"),
        ]
    )
    func `refuses what is no profile`(_ name: String, _ reason: String) {
        let error = #expect(throws: ProfileError.self) { try PriceProfile(named: name) }
        #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
    }

    @Test func `takes a file, and names it in what is wrong with it`() throws {
        let path = NSTemporaryDirectory() + "firemeter-profile-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(Self.lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
        #expect(try PriceProfile(named: path).name == "mine")
        try Data("[]".utf8).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: ProfileError.self) { try PriceProfile(named: path) }
        #expect(error?.description == "\(path): line 1: expected an object")
    }
}
