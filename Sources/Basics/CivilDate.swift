// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A day of the proleptic Gregorian calendar, counted without a calendar library.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2013): a year begins in March, so that the leap
/// day is its last, and eras have 400 years.
package struct CivilDate: Hashable, Sendable {
    package let year: Int64
    /// 1 to 12.
    package let month: Int64
    /// From 1.
    package let day: Int64

    /// The months in HTTP's dates and in Apache's logs, January first.
    package static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// The days of the week in HTTP's dates, Sunday first.
    package static let weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    /// 1 January 1970 was a Thursday.
    private static let weekdayOfEpoch: Int64 = 4

    /// Names a day, which need not exist: see ``dayCount(year:month:)``.
    package init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Finds the day that is a number of days after 1 January 1970, or before it.
    package init(daysSinceEpoch: Int64) {
        let (era, dayOfEra) = (daysSinceEpoch + 719_468).dividedFloor(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        self.init(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
            month: month,
            day: dayOfYear - (153 * marchMonth + 2) / 5 + 1
        )
    }

    /// The days from 1 January 1970 on.
    package var daysSinceEpoch: Int64 {
        let (era, yearOfEra) = (month > 2 ? year : year - 1).dividedFloor(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The day of the week, 0 for Sunday.
    package var weekday: Int { Int((daysSinceEpoch + Self.weekdayOfEpoch).dividedFloor(by: 7).remainder) }

    /// `2026-11-21`.
    package var text: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }

    /// The days of a month.
    package static func dayCount(year: Int64, month: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}

/// A second in UTC, taken apart.
package struct CivilTime: Hashable, Sendable {
    package let date: CivilDate
    package let hour: Int64
    package let minute: Int64
    package let second: Int64

    /// Takes a time in seconds since the Unix epoch apart.
    package init(secondsSinceEpoch: Int64) {
        let (days, secondOfDay) = secondsSinceEpoch.dividedFloor(by: 86_400)
        date = CivilDate(daysSinceEpoch: days)
        (hour, minute, second) = (secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60)
    }

    /// Puts a time together; `nil` for one that does not exist, such as 31 February or a leap second.
    package init?(year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64) {
        guard (1...12).contains(month), (1...CivilDate.dayCount(year: year, month: month)).contains(day),
            (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        date = CivilDate(year: year, month: month, day: day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// The seconds from 1970-01-01T00:00:00Z on.
    package var secondsSinceEpoch: Int64 { ((date.daysSinceEpoch * 24 + hour) * 60 + minute) * 60 + second }

    /// `00:51:46`.
    package var timeText: String { "\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))" }

    /// `2026-11-21T00:51:46`, the beginning of RFC 3339's form.
    package var text: String { "\(date.text)T\(timeText)" }
}

extension Int64 {
    /// Divides, rounding down; the remainder is never negative.
    package func dividedFloor(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// The number with at least this many digits.
    package func padded(to digitCount: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, digitCount - digits.count)) + digits
    }
}
