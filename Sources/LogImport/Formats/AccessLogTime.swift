// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// How an access log writes times.
enum AccessLogTime: Sendable, Hashable {
    /// `10/Oct/2000:13:55:36 -0700`.
    case local
    /// `2000-10-10T13:55:36-07:00`, in the zone perhaps without the colon.
    case iso8601
    /// Since 1970, perhaps with a fraction.
    case seconds
    case milliseconds
    case microseconds
}

/// Reads the times of an access log.
struct AccessLogClock {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private var text = ""
    private var latest: Int64?

    /// Microseconds since 1970; `nil` for what is no such time.
    ///
    /// The last is remembered: many lines are of one second.
    mutating func microseconds(of when: String, _ form: AccessLogTime) -> Int64? {
        if when == text { return latest }
        text = when
        latest =
            switch form {
            case .local: Self.local(when)
            case .iso8601: Self.iso8601(when)
            case .seconds: Self.sinceEpoch(when, unit: 1_000_000)
            case .milliseconds: Self.sinceEpoch(when, unit: 1_000)
            case .microseconds: Self.sinceEpoch(when, unit: 1)
            }
        return latest
    }

    private static func local(_ when: String) -> Int64? {
        let parts = when.split(whereSeparator: { "/: ".contains($0) })
        guard parts.count == 7, let month = months.firstIndex(of: String(parts[1])) else { return nil }
        let (day, number) = (parts[0], String(month + 1))
        let zone = parts[6]
        guard zone.count == 5 else { return nil }
        let twoDigits = number.count == 1 ? "0" + number : number
        return iso8601("\(parts[2])-\(twoDigits)-\(day)T\(parts[3]):\(parts[4]):\(parts[5])\(zone)")
    }

    private static func iso8601(_ when: String) -> Int64? {
        let zone = when.suffix(5)
        guard let sign = zone.first, sign == "+" || sign == "-" else { return Timestamp(when)?.microseconds }
        return Timestamp("\(when.dropLast(2)):\(when.suffix(2))")?.microseconds
    }

    private static func sinceEpoch(_ when: String, unit: Int64) -> Int64? {
        let parts = when.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first.flatMap({ Int64($0) }),
            // The year 9999 at most, as everywhere.
            (0...253_402_300_799_999_999 / unit).contains(whole)
        else { return nil }
        guard parts.count == 2 else { return whole * unit }
        guard parts[1].allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        let digits = String(unit).count - 1
        return whole * unit + (Int64(String((parts[1] + "000000").prefix(digits))) ?? 0)
    }
}
