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
