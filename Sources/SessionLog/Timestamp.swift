// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A moment in RFC 3339 form, to the microsecond; finer digits are kept in the text only.
package struct Timestamp: Sendable, Hashable {
    /// The text as it was read or made.
    package let text: String
    /// Microseconds since the Unix epoch.
    package let microseconds: Int64

    /// Reads `2026-11-21T00:51:46.653Z` or the same with an offset; `nil` for anything else.
    ///
    /// A leap second counts as the second before it.
    package init?(_ text: String) {
        var bytes = text
        guard let microseconds = bytes.withUTF8({ Self.microseconds(rfc3339: $0) }) else { return nil }
        self.text = text
        self.microseconds = microseconds
    }

    /// Writes a moment in UTC, with a fraction of six digits when it has one.
    package init(microseconds: Int64) {
        self.microseconds = microseconds
        let (seconds, fraction) = Self.floorDivide(microseconds, by: 1_000_000)
        let (days, secondOfDay) = Self.floorDivide(seconds, by: 86_400)
        let (year, month, day) = Self.date(days: days)
        let date = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
        let hour = Self.padded(secondOfDay / 3_600, 2)
        let minute = Self.padded(secondOfDay / 60 % 60, 2)
        let second = Self.padded(secondOfDay % 60, 2)
        let tail = fraction == 0 ? "Z" : ".\(Self.padded(fraction, 6))Z"
        self.text = "\(date)T\(hour):\(minute):\(second)\(tail)"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

// The proleptic Gregorian calendar by era arithmetic, after Howard Hinnant's "chrono-Compatible Low-Level Date
// Algorithms" (2013): a year begins in March, so that the leap day is its last.
extension Timestamp {
    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let (era, yearOfEra) = floorDivide(shifted, by: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    static func dayCount(month: Int64, year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: return 30
        case 2: return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: return 31
        }
    }

    static func floorDivide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension Timestamp {
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
            scanner.take("-"), let day = scanner.number(2, in: 1...Self.dayCount(month: month, year: year)),
            scanner.take("T") || scanner.take("t"), let time = time(&scanner),
            let offset = scanner.offsetMinutes(isColonOptional ? .either : .colon), scanner.isAtEnd
        else { return nil }
        return microseconds(days: days(year: year, month: month, day: day), time, offset)
    }

    /// Reads `10/Oct/2000:13:55:36 -0700`, as Apache's common log format has it.
    package static func microseconds(commonLog text: UnsafeBufferPointer<UInt8>) -> Int64? {
        var scanner = DigitScanner(text)
        guard let day = scanner.number(2), scanner.take("/"), let month = scanner.monthName(), scanner.take("/"),
            let year = scanner.number(4), (1...dayCount(month: month, year: year)).contains(day),
            scanner.take(":"), let time = time(&scanner), scanner.take(" "),
            let offset = scanner.offsetMinutes(.plain), scanner.isAtEnd
        else { return nil }
        return microseconds(days: days(year: year, month: month, day: day), time, offset)
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
            let second = scanner.number(2, in: 0...60), let fraction = scanner.fraction()
        else { return nil }
        return TimeOfDay(minutes: hour * 60 + minute, second: min(second, 59), fraction: fraction)
    }

    private static func microseconds(days: Int64, _ time: TimeOfDay, _ offsetMinutes: Int64) -> Int64 {
        ((days * 24 * 60 + time.minutes - offsetMinutes) * 60 + time.second) * 1_000_000 + time.fraction
    }
}
