// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// Points in time as signed requests and HTTP write them, always in UTC.
enum UTCTime {
    /// Reads `20190201T090000Z`; seconds since the Unix epoch.
    static func seconds(basic text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else { return nil }
        let numbers = [0..<4, 4..<6, 6..<8, 9..<11, 11..<13, 13..<15].map { number(bytes[$0]) }
        return seconds(numbers)
    }

    /// Reads `Sat, 21 Nov 2026 00:51:46 GMT`, the only form of a date that HTTP has clients write.
    static func seconds(http text: String) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[5] == "GMT",
            let month = CivilDate.monthNames.firstIndex(of: String(words[2]))
        else { return nil }
        let time = words[4].split(separator: ":").map { number($0.utf8) }
        guard time.count == 3 else { return nil }
        return seconds([number(words[3].utf8), Int64(month + 1), number(words[1].utf8)] + time)
    }

    /// Writes `2026-11-21T00:51:46`.
    static func text(seconds: Int64) -> String {
        CivilTime(secondsSinceEpoch: seconds).text
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int64? {
        guard (1...9).contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    private static func seconds(_ numbers: [Int64?]) -> Int64? {
        let numbers = numbers.compactMap { $0 }
        guard numbers.count == 6 else { return nil }
        let time = CivilTime(
            year: numbers[0],
            month: numbers[1],
            day: numbers[2],
            hour: numbers[3],
            minute: numbers[4],
            second: numbers[5]
        )
        return time?.secondsSinceEpoch
    }
}
