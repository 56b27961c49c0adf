// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Decides what may not be loaded from the network now; images in a cache are always shown.
public protocol DataGuard: Sendable {
    /// Why such an image may not be loaded, for the message of the error; `nil` if it may.
    func refusal(for role: ImageReference.Role, priority: ImagePriority) -> String?
}

/// Asks several guards; the first refusal counts.
public struct DataGuards: DataGuard {
    private let guards: [any DataGuard]

    /// Creates a guard of guards.
    public init(_ guards: [any DataGuard]) { self.guards = guards }

    /// The first refusal of any guard.
    public func refusal(for role: ImageReference.Role, priority: ImagePriority) -> String? {
        for dataGuard in guards {
            if let refusal = dataGuard.refusal(for: role, priority: priority) { return refusal }
        }
        return nil
    }
}

/// Loads thumbnails only, and prefetches nothing, while the user or the network asks to save data.
public struct LowDataGuard: DataGuard {
    private let isOn: @Sendable () -> Bool

    /// Creates a guard; `isOn` returns whether data is to be saved now, on iOS for instance `NWPath.isConstrained`.
    public init(isOn: @escaping @Sendable () -> Bool) { self.isOn = isOn }

    /// Refuses full images and prefetches.
    public func refusal(for role: ImageReference.Role, priority: ImagePriority) -> String? {
        guard isOn(), role == .full || priority == .prefetch else { return nil }
        return "low data mode loads thumbnails only"
    }
}

/// Loads thumbnails only, and prefetches nothing, once a share of today's download quota is used.
///
/// Usage is reported by a ``UsedQuota``, or by a function of yours.
public struct QuotaGuard: DataGuard {
    /// The share from which thumbnails only are loaded, by default.
    public static let thresholdDefault = 0.7
    /// The share of the quota from which on thumbnails only are loaded.
    public let threshold: Double
    private let usedShare: @Sendable () -> Double

    /// Creates a guard; `usedShare` returns the used share of today's quota, where 1 is all of it.
    public init(threshold: Double = Self.thresholdDefault, usedShare: @escaping @Sendable () -> Double) {
        self.threshold = threshold
        self.usedShare = usedShare
    }

    /// Refuses full images and prefetches.
    public func refusal(for role: ImageReference.Role, priority: ImagePriority) -> String? {
        let share = usedShare()
        guard share >= threshold, role == .full || priority == .prefetch else { return nil }
        let percents = [share, threshold].map { Int(min($0, 100) * 100) }
        return "\(percents[0]) % of today's download quota is used; from \(percents[1]) % on thumbnails only"
    }
}

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
