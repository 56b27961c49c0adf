// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The used part of today's quota, as last reported to your app; may be read and set on any thread.
///
/// The quota is the whole project's, which no client can ask production for: let a backend of yours report it. The emulator
/// reports it at `GET /quota`.
public final class UsedQuota: Sendable {
    private let current: Locked<Double>

    /// Creates a reading; nothing is used by default.
    public init(share: Double = 0) { current = Locked(share) }

    /// The share that is used, where 1 is all of today's quota.
    public var share: Double {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}

extension QuotaGuard {
    /// Creates a guard that goes by a reading.
    public init(_ used: UsedQuota, threshold: Double = Self.thresholdDefault) {
        self.init(threshold: threshold) { used.share }
    }
}
