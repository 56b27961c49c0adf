// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog
import Testing

struct LogTimeTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-21T00:51:46.653Z", 1_795_222_306_653_000),
            ("2026-11-21T02:51:46.653+02:00", 1_795_222_306_653_000), ("1969-12-31T23:59:59.999999Z", -1),
            ("2000-02-29T12:00:00-00:30", 951_827_400_000_000), ("2026-11-21T00:51:46.1234567Z", 1_795_222_306_123_456),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000_000),
            ("2016-12-31T23:59:60Z", 1_483_228_799_000_000), ("2026-11-21t00:51:46z", 1_795_222_306_000_000),
        ]
    )
    func `reads RFC 3339 times`(text: String, microseconds: Int64) throws {
        let timestamp = try #require(LogTime(text))
        #expect(timestamp.microseconds == microseconds)
        #expect(timestamp.text == text)
    }

    @Test(
        arguments: [
            "", "2026-11-21", "2026-11-21T00:51:46", "2026-11-21 00:51:46Z", "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T00:00:00.Z", "2026-11-21T00:00:00+0200",
            "2026-11-21T00:00:00Z ", "26-11-21T00:00:00Z", "2026-11-21T00:60:00Z", "+026-11-21T00:00:00Z",
        ]
    )
    func `refuses other text`(text: String) { #expect(LogTime(text) == nil) }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999Z"),
            (1_795_222_306_653_000, "2026-11-21T00:51:46.653000Z"), (951_827_400_000_000, "2000-02-29T12:30:00Z"),
            (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"),
        ]
    )
    func `writes RFC 3339 times in UTC`(microseconds: Int64, text: String) {
        #expect(LogTime(microseconds: microseconds).text == text)
    }

    @Test func `reads back every day it writes`() {
        // From 0000-01-01 to 2243.
        let moments = stride(from: Int64(-719_528), to: 100_000, by: 7).map { $0 * 86_400_000_000 + 1 }
        #expect(moments.allSatisfy { LogTime(LogTime(microseconds: $0).text)?.microseconds == $0 })
    }
}
