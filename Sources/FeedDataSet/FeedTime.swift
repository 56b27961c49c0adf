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
        var scanner = TimeScanner(text)
        guard
            let year = scanner.number(digits: 4, in: 1...9_999), scanner.take("-"),
            let month = scanner.number(digits: 2, in: 1...12), scanner.take("-"),
            let day = scanner.number(
                digits: 2,
                in: 1...Int(CivilDate.dayCount(year: Int64(year), month: Int64(month)))
            ),
            scanner.take("T"),
            let hour = scanner.number(digits: 2, in: 0...23), scanner.take(":"),
            let minute = scanner.number(digits: 2, in: 0...59), scanner.take(":"),
            let second = scanner.number(digits: 2, in: 0...59),
            let nanoseconds = scanner.fraction(),
            let offsetMinutes = scanner.offset(), scanner.isAtEnd
        else { return nil }
        let days = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day)).daysSinceEpoch
        let minutes = (days * 24 + Int64(hour)) * 60 + Int64(minute - offsetMinutes)
        self.init(secondsSinceEpoch: minutes * 60 + Int64(second), nanoseconds: Int32(nanoseconds))
    }

    /// The moment in UTC, with decimals only where there is a fraction of a second.
    package var rfc3339: String {
        let fraction = nanoseconds == 0 ? "" : ".\(Int64(nanoseconds).padded(to: 9))"
        return "\(CivilTime(secondsSinceEpoch: secondsSinceEpoch).text)\(fraction)Z"
    }
}
