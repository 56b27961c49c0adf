// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import FirestoreModel

/// Times in events: RFC 3339 in UTC.
enum EventTime {
    /// A time with its microseconds, as documents have it.
    static func text(_ time: Timestamp) -> String { text(microseconds: time.microseconds) }

    static func text(microseconds: Int64) -> String {
        let (seconds, fraction) = microseconds.dividedFloor(by: 1_000_000)
        return "\(CivilTime(secondsSinceEpoch: seconds).text).\(fraction.padded(to: 6))Z"
    }

    /// A time with its milliseconds, as JavaScript writes it.
    static func text(milliseconds: Int64) -> String {
        let (seconds, fraction) = milliseconds.dividedFloor(by: 1_000)
        return "\(CivilTime(secondsSinceEpoch: seconds).text).\(fraction.padded(to: 3))Z"
    }
}
