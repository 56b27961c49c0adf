// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
    public func refusal(for role: ImageReference.Role, _ priority: ImagePriority) -> String? {
        let share = usedShare()
        guard share >= threshold, role == .full || priority == .prefetch else { return nil }
        let percents = [share, threshold].map { Int(min($0, 100) * 100) }
        return "\(percents[0]) % of today's download quota is used; from \(percents[1]) % on thumbnails only"
    }
}
