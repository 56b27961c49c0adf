// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import NIOConcurrencyHelpers

/// Dates as HTTP writes them: `Sat, 21 Nov 2026 00:51:46 GMT` (RFC 9110 section 5.6.7).
package enum HTTPDate {
    private static let latest = NIOLockedValueBox<(second: Int64, text: String)>((.min, ""))

    /// The present second, formatted once.
    package static var now: String {
        let second = presentSecond
        return latest.withLockedValue { latest in
            if latest.second != second { latest = (second, text(secondsSinceEpoch: second)) }
            return latest.text
        }
    }

    /// The present second since the Unix epoch.
    static var presentSecond: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }

    /// Formats a time given in seconds since the Unix epoch.
    package static func text(secondsSinceEpoch: Int64) -> String {
        let time = CivilTime(secondsSinceEpoch: secondsSinceEpoch)
        let weekday = CivilDate.weekdayNames[time.date.weekday]
        let month = CivilDate.monthNames[Int(time.date.month) - 1]
        return "\(weekday), \(time.date.day.padded(to: 2)) \(month) \(time.date.year) \(time.timeText) GMT"
    }
}
