// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// Times as Google's JSON has them (RFC 3339).
enum RFC3339 {
    /// Reads a time such as `2026-11-21T00:51:46.653275Z`, in microseconds since the Unix epoch; `nil` for other texts.
    ///
    /// Digits below a microsecond are cut off.
    static func microseconds(_ text: String) -> Int64? {
        var bytes = text
        return bytes.withUTF8 { TimeText.microseconds(rfc3339: $0) }
    }

    /// Writes a time in milliseconds, as Cloud Storage writes its own: `2026-11-21T00:51:46.653Z`.
    static func text(microseconds: Int64) -> String {
        let (seconds, fraction) = parts(microseconds)
        return "\(seconds).\((fraction / 1_000).padded(to: 3))Z"
    }

    /// Writes a time in microseconds, as clients' own times are written.
    static func fineText(microseconds: Int64) -> String {
        let (seconds, fraction) = parts(microseconds)
        return "\(seconds).\(fraction.padded(to: 6))Z"
    }

    private static func parts(_ microseconds: Int64) -> (seconds: String, fraction: Int64) {
        // Times before 1970 are rounded down as well.
        let (seconds, fraction) = microseconds.dividedFloor(by: 1_000_000)
        return (CivilTime(secondsSinceEpoch: seconds).text, fraction)
    }
}
