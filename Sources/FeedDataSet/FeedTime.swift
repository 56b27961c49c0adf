// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// A moment in UTC, to the nanosecond, as Firestore's timestamps are.
package struct FeedTime: Sendable, Hashable, Comparable {
    /// Whole seconds since 1970-01-01T00:00:00Z, negative before it.
    package let secondsSinceEpoch: Int64
    /// Nanoseconds after that second, 0 to 999,999,999.
    package let nanoseconds: Int32

    /// Wraps a moment.
    package init(secondsSinceEpoch: Int64, nanoseconds: Int32 = 0) {
        precondition((0..<1_000_000_000).contains(nanoseconds), "nanoseconds are below a second (are \(nanoseconds))")
        self.secondsSinceEpoch = secondsSinceEpoch
        self.nanoseconds = nanoseconds
    }

    /// Orders moments in time.
    package static func < (left: Self, right: Self) -> Bool {
        (left.secondsSinceEpoch, left.nanoseconds) < (right.secondsSinceEpoch, right.nanoseconds)
    }
}

extension FeedTime {
    /// Parses `2026-11-20T08:30:00Z`, with up to nine decimals of a second and `Z` or an offset such as `+02:00`.
    ///
    /// Returns `nil` for anything else, for days that do not exist and for leap seconds.
    package init?(rfc3339 text: String) {
        var text = text
        let time = text.withUTF8 { bytes -> (second: Int64, nanoseconds: Int64)? in
            var scanner = DigitScanner(bytes)
            guard
                let year = scanner.number(4, in: 1...9_999), scanner.take("-"),
                let month = scanner.number(2, in: 1...12), scanner.take("-"),
                let day = scanner.number(2, in: 1...CivilDate.dayCount(year: year, month: month)), scanner.take("T"),
                let hour = scanner.number(2, in: 0...23), scanner.take(":"),
                let minute = scanner.number(2, in: 0...59), scanner.take(":"),
                let second = scanner.number(2, in: 0...59), let nanoseconds = scanner.nanoseconds(digitCountMax: 9),
                let offset = scanner.offsetMinutes(.colon), scanner.isAtEnd
            else { return nil }
            let days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
            return (((days * 24 + hour) * 60 + minute - offset) * 60 + second, nanoseconds)
        }
        guard let time else { return nil }
        self.init(secondsSinceEpoch: time.second, nanoseconds: Int32(time.nanoseconds))
    }

    /// The moment in UTC, with decimals only where there is a fraction of a second.
    package var rfc3339: String {
        let fraction = nanoseconds == 0 ? "" : ".\(Int64(nanoseconds).padded(to: 9))"
        return "\(CivilTime(secondsSinceEpoch: secondsSinceEpoch).text)\(fraction)Z"
    }
}
