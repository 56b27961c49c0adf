// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Times in texts, read without a calendar library; in microseconds since the Unix epoch.
package enum TimeText {
    /// Reads `2026-11-21T00:51:46.653Z` or the same with an offset, whose colon may be optional; microseconds since the Unix
    /// epoch, `nil` for anything else.
    ///
    /// A leap second counts as the second before it.
    package static func microseconds(
        rfc3339 text: UnsafeBufferPointer<UInt8>,
        isColonOptional: Bool = false
    ) -> Int64? {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2, in: 1...12),
            scanner.take("-"), let day = scanner.number(2, in: 1...CivilDate.dayCount(year: year, month: month)),
            scanner.take("T") || scanner.take("t"), let time = time(&scanner),
            let offset = scanner.offsetMinutes(isColonOptional ? .either : .colon), scanner.isAtEnd
        else { return nil }
        return microseconds(
            days: CivilDate(year: year, month: month, day: day).daysSinceEpoch,
            time: time,
            offsetMinutes: offset
        )
    }

    /// Reads `10/Oct/2000:13:55:36 -0700`, as Apache's common log format has it.
    package static func microseconds(commonLog text: UnsafeBufferPointer<UInt8>) -> Int64? {
        var scanner = DigitScanner(text)
        guard let day = scanner.number(2), scanner.take("/"), let month = scanner.monthName(), scanner.take("/"),
            let year = scanner.number(4), (1...CivilDate.dayCount(year: year, month: month)).contains(day),
            scanner.take(":"), let time = time(&scanner), scanner.take(" "),
            let offset = scanner.offsetMinutes(.plain), scanner.isAtEnd
        else { return nil }
        return microseconds(
            days: CivilDate(year: year, month: month, day: day).daysSinceEpoch,
            time: time,
            offsetMinutes: offset
        )
    }

    private struct TimeOfDay {
        let minutes: Int64
        let second: Int64
        /// In microseconds.
        let fraction: Int64
    }

    private static func time(_ scanner: inout DigitScanner) -> TimeOfDay? {
        guard let hour = scanner.number(2, in: 0...23), scanner.take(":"),
            let minute = scanner.number(2, in: 0...59), scanner.take(":"),
            let second = scanner.number(2, in: 0...60), let nanoseconds = scanner.nanoseconds()
        else { return nil }
        return TimeOfDay(minutes: hour * 60 + minute, second: min(second, 59), fraction: nanoseconds / 1_000)
    }

    private static func microseconds(days: Int64, time: TimeOfDay, offsetMinutes: Int64) -> Int64 {
        ((days * 24 * 60 + time.minutes - offsetMinutes) * 60 + time.second) * 1_000_000 + time.fraction
    }
}
