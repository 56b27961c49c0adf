// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
