// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
        var seconds = time_t(secondsSinceEpoch)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { twoDigits($0) }.joined(separator: ":")
        let date = "\(twoDigits(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year)"
        return "\(weekdays[Int(parts.tm_wday)]), \(date) \(time) GMT"
    }

    private static func twoDigits(_ number: CInt) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
