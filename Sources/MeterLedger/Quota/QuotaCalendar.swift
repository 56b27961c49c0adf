// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The days and months of a quota, which begin at midnight somewhere.
struct QuotaCalendar: Sendable {
    /// A day, by the microseconds since the Unix epoch between which it lies.
    struct Day: Sendable, Hashable {
        let start: Int64
        let end: Int64
    }

    private let calendar: Calendar

    init(zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// The days of the month of a time, from its first to the one of that time.
    func days(upTo microseconds: Int64) -> [Day] {
        let now = Self.date(microseconds)
        guard let month = calendar.dateInterval(of: .month, for: now) else { return [] }
        var days: [Day] = []
        var start = month.start
        // From midnight to midnight, where there is one on the day that summer time begins.
        while start <= now, let next = calendar.date(byAdding: .day, value: 1, to: start) {
            let end = calendar.startOfDay(for: next)
            days.append(Day(start: Self.microseconds(start), end: Self.microseconds(end)))
            start = end
        }
        return days
    }

    /// The time of the same hour a number of days later.
    func advance(_ microseconds: Int64, days: Int) -> Int64 {
        let date = Self.date(microseconds)
        return Self.microseconds(calendar.date(byAdding: .day, value: days, to: date) ?? date)
    }

    /// When the next month begins.
    func endOfMonth(at microseconds: Int64) -> Int64 {
        calendar.dateInterval(of: .month, for: Self.date(microseconds)).map { Self.microseconds($0.end) } ?? .max
    }

    /// A time's day as `YYYY-MM-DD`.
    func name(ofDay microseconds: Int64) -> String {
        Self.date(microseconds).formatted(
            Date.ISO8601FormatStyle(timeZone: calendar.timeZone).year().month().day()
        )
    }

    private static func date(_ microseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }

    private static func microseconds(_ date: Date) -> Int64 {
        Int64((date.timeIntervalSince1970 * 1_000_000).rounded())
    }
}
