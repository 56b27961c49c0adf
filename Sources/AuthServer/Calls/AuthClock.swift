// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// The time of accounts and tokens, which tests may set.
package final class AuthClock: Sendable {
    private enum Setting {
        case real
        /// Runs, this many microseconds ahead of the real time.
        case ahead(Int64)
        case frozen(Int64)
    }

    private let now: @Sendable () -> Int64
    private let setting = NIOLockedValueBox(Setting.real)

    /// Creates a clock that shows the real time.
    ///
    /// - Parameter now: The real time, in microseconds since the Unix epoch.
    package init(_ now: @escaping @Sendable () -> Int64) { self.now = now }

    /// Milliseconds since the Unix epoch.
    package var milliseconds: Int64 {
        let microseconds =
            switch setting.withLockedValue({ $0 }) {
            case .real: now()
            case .ahead(let offset): now() + offset
            case .frozen(let time): time
            }
        return microseconds / 1_000
    }

    /// Seconds since the Unix epoch.
    package var seconds: Int64 { milliseconds / 1_000 }

    var isFrozen: Bool { if case .frozen = setting.withLockedValue({ $0 }) { true } else { false } }

    /// Sets the time, which then runs on or stands still.
    func set(milliseconds: Int64, isFrozen: Bool) {
        let time = milliseconds * 1_000
        setting.withLockedValue { $0 = isFrozen ? .frozen(time) : .ahead(time - now()) }
    }

    /// Returns to the real time.
    func reset() { setting.withLockedValue { $0 = .real } }
}
