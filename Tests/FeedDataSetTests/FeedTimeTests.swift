// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedDataSet
import Testing

struct FeedTimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0, 0, "1970-01-01T00:00:00Z"),
        ("2026-11-20T12:00:00Z", 1_795_176_000, 0, "2026-11-20T12:00:00Z"),
        ("2024-02-29T23:59:59.25Z", 1_709_251_199, 250_000_000, "2024-02-29T23:59:59.250000000Z"),
        ("2026-11-20T12:00:00+02:00", 1_795_168_800, 0, "2026-11-20T10:00:00Z"),
        ("1969-12-31T23:59:59-00:30", 1_799, 0, "1970-01-01T00:29:59Z"),
        ("1969-12-31T23:59:59.5Z", -1, 500_000_000, "1969-12-31T23:59:59.500000000Z"),
        ("0001-01-01T00:00:00Z", -62_135_596_800, 0, "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59Z", 253_402_300_799, 0, "9999-12-31T23:59:59Z"),
    ])
    func `parses and prints`(_ text: String, _ seconds: Int64, _ nanoseconds: Int32, _ printed: String) throws {
        let time = try #require(FeedTime(rfc3339: text))
        #expect(time == FeedTime(secondsSinceEpoch: seconds, nanoseconds: nanoseconds))
        #expect(time.rfc3339 == printed)
    }

    @Test(arguments: [
        "", "2026-11-20", "2026-11-20T12:00:00", "2026-11-20 12:00:00Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-11-20T24:00:00Z", "2026-11-20T12:00:60Z", "2026-11-20T12:00:00.Z", "2026-11-20T12:00:00.1234567890Z",
        "2026-11-20T12:00:00+0200", "2026-11-20T12:00:00Zz", "+026-11-20T12:00:00Z",
    ])
    func `refuses what is no RFC 3339 time`(_ text: String) {
        #expect(FeedTime(rfc3339: text) == nil)
    }
}
