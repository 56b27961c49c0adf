// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Reads the times of access logs, such as `10/Oct/2000:13:55:36 -0700`.
struct ZonedClock {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private var text = ""
    private var latest: Int64?

    /// Microseconds since 1970; `nil` for what is no such time.
    ///
    /// The last is remembered: many lines are of one second.
    mutating func microseconds(of when: Substring) -> Int64? {
        if when == text { return latest }
        text = String(when)
        latest = Self.microseconds(when)
        return latest
    }

    private static func microseconds(_ when: Substring) -> Int64? {
        let parts = when.split(whereSeparator: { "/: ".contains($0) })
        guard parts.count == 7, let month = months.firstIndex(of: String(parts[1])) else { return nil }
        let (day, number) = (parts[0], String(month + 1))
        let zone = parts[6]
        guard zone.count == 5 else { return nil }
        let offset = "\(zone.prefix(3)):\(zone.suffix(2))"
        let twoDigits = number.count == 1 ? "0" + number : number
        return Timestamp("\(parts[2])-\(twoDigits)-\(day)T\(parts[3]):\(parts[4]):\(parts[5])\(offset)")?.microseconds
    }
}
