// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import Testing

struct CivilDateTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00", 4), (-1, "1969-12-31T23:59:59", 3), (951_782_400, "2000-02-29T00:00:00", 2),
            (4_107_542_400, "2100-03-01T00:00:00", 1), (-62_167_219_200, "0000-01-01T00:00:00", 6),
            (1_795_222_306, "2026-11-21T00:51:46", 6), (253_402_300_799, "9999-12-31T23:59:59", 5),
        ] as [(Int64, String, Int)]
    )
    func `a second has one name`(second: Int64, text: String, weekday: Int) {
        let time = CivilTime(secondsSinceEpoch: second)
        #expect(time.text == text)
        #expect(time.secondsSinceEpoch == second)
        #expect(time.date.weekday == weekday)
    }

    @Test func `days agree with Foundation's calendar`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for day in stride(from: Int64(-20_000), through: 60_000, by: 97) {
            let parts = calendar.dateComponents(
                [.year, .month, .day],
                from: Date(timeIntervalSince1970: Double(day) * 86_400)
            )
            let date = CivilDate(daysSinceEpoch: day)
            #expect([Int(date.year), Int(date.month), Int(date.day)] == [parts.year, parts.month, parts.day])
            #expect(date.daysSinceEpoch == day)
        }
    }

    @Test(
        arguments: [
            (2026, 2, 29, 0, 0, 0), (2026, 13, 1, 0, 0, 0), (2026, 0, 1, 0, 0, 0), (2026, 4, 31, 0, 0, 0),
            (2026, 1, 1, 24, 0, 0), (2026, 1, 1, 0, 60, 0), (2026, 1, 1, 23, 59, 60), (2100, 2, 29, 0, 0, 0),
        ] as [(Int64, Int64, Int64, Int64, Int64, Int64)]
    )
    func `a time that does not exist is refused`(_ parts: (Int64, Int64, Int64, Int64, Int64, Int64)) {
        let time = CivilTime(
            year: parts.0,
            month: parts.1,
            day: parts.2,
            hour: parts.3,
            minute: parts.4,
            second: parts.5
        )
        #expect(time == nil)
    }

    @Test(
        arguments: [("00ff10", [0, 255, 16]), ("AbcD", [171, 205]), ("", []), ("0", nil), ("0g", nil)]
            as [(String, [UInt8]?)]
    )
    func `hexadecimal is read in either case and written in small letters`(text: String, bytes: [UInt8]?) {
        #expect(Hexadecimal.decode(text) == bytes)
        if let bytes { #expect(Hexadecimal.encode(bytes) == text.lowercased()) }
    }
}
