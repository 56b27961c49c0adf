// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A point in time, counted from the Unix epoch.
///
/// Firestore keeps microseconds: whatever is stored or compared is cut down to them, never rounded up.
package struct Timestamp: Hashable, Sendable {
    /// The years 0001 to 9999, the range of `google.protobuf.Timestamp`.
    static let validSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    package let seconds: Int64
    /// Counts forward from `seconds`, also before the epoch: 0 to 999,999,999.
    package let nanoseconds: Int32

    package init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package init(microseconds: Int64) {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let isBorrowing = remainder < 0
        self.seconds = isBorrowing ? quotient - 1 : quotient
        self.nanoseconds = Int32(isBorrowing ? remainder + 1_000_000 : remainder) * 1_000
    }

    /// Whether both parts are within the protocol's range; others are refused when written.
    package var isValid: Bool {
        Self.validSeconds.contains(seconds) && (0...999_999_999).contains(nanoseconds)
    }

    /// Whole microseconds since the epoch, rounded down; saturates outside the valid range.
    package var microseconds: Int64 {
        let bounded = min(max(seconds, Self.validSeconds.lowerBound), Self.validSeconds.upperBound)
        return bounded * 1_000_000 + Int64(nanoseconds / 1_000)
    }

    package var truncatedToMicroseconds: Timestamp { Timestamp(microseconds: microseconds) }

    /// The precision of a server timestamp.
    package var truncatedToMilliseconds: Timestamp {
        Timestamp(seconds: seconds, nanoseconds: nanoseconds / 1_000_000 * 1_000_000)
    }
}

extension Timestamp: Comparable {
    package static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        (lhs.seconds, lhs.nanoseconds) < (rhs.seconds, rhs.nanoseconds)
    }
}
