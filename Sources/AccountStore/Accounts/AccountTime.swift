// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// Times in the form of JavaScript: RFC 3339 in UTC, with milliseconds.
package enum AccountTime {
    /// Writes `2026-11-28T01:08:01.000Z`.
    package static func text(milliseconds: Int64) -> String {
        let (seconds, fraction) = milliseconds.dividedFloor(by: 1_000)
        return "\(CivilTime(secondsSinceEpoch: seconds).text).\(fraction.padded(to: 3))Z"
    }

    /// Reads a time of RFC 3339; milliseconds since the Unix epoch.
    package static func milliseconds(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { TimeText.microseconds(rfc3339: $0) }.map { $0.dividedFloor(by: 1_000).quotient }
    }
}
