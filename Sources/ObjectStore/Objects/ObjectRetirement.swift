// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Since when, and how, a version of an object is no longer the live one.
package struct ObjectRetirement: Hashable, Sendable {
    /// When it was replaced or deleted, in microseconds since the Unix epoch.
    package var time: Int64
    /// Until when it can be restored, if it was deleted softly; `nil` for a noncurrent version.
    package var restorableUntil: Int64?

    /// Creates a retirement.
    package init(time: Int64, restorableUntil: Int64? = nil) {
        self.time = time
        self.restorableUntil = restorableUntil
    }
}
