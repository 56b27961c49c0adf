// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// A moment in RFC 3339 form, to the microsecond; finer digits are kept in the text only.
package struct LogTime: Sendable, Hashable {
    /// The text as it was read or made.
    package let text: String
    /// Microseconds since the Unix epoch.
    package let microseconds: Int64

    /// Reads `2026-11-21T00:51:46.653Z` or the same with an offset; `nil` for anything else.
    ///
    /// A leap second counts as the second before it.
    package init?(_ text: String) {
        var bytes = text
        guard let microseconds = bytes.withUTF8({ TimeText.microseconds(rfc3339: $0) }) else { return nil }
        self.text = text
        self.microseconds = microseconds
    }

    /// Writes a moment in UTC, with a fraction of six digits when it has one.
    package init(microseconds: Int64) {
        self.microseconds = microseconds
        let (seconds, fraction) = microseconds.dividedFloor(by: 1_000_000)
        text = CivilTime(secondsSinceEpoch: seconds).text + (fraction == 0 ? "Z" : ".\(fraction.padded(to: 6))Z")
    }
}
