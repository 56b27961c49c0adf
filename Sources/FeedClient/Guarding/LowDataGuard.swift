// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Loads thumbnails only, and prefetches nothing, while the user or the network asks to save data.
public struct LowDataGuard: DataGuard {
    private let isOn: @Sendable () -> Bool

    /// Creates a guard; `isOn` returns whether data is to be saved now, on iOS for instance `NWPath.isConstrained`.
    public init(isOn: @escaping @Sendable () -> Bool) { self.isOn = isOn }

    /// Refuses full images and prefetches.
    public func refusal(for role: ImageReference.Role, _ priority: ImagePriority) -> String? {
        guard isOn(), role == .full || priority == .prefetch else { return nil }
        return "low data mode loads thumbnails only"
    }
}
