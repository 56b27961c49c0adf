// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Decides what may not be loaded from the network now; images in a cache are always shown.
public protocol DataGuard: Sendable {
    /// Why such an image may not be loaded, for the message of the error; `nil` if it may.
    func refusal(for role: ImageReference.Role, _ priority: ImagePriority) -> String?
}

/// Asks several guards; the first refusal counts.
public struct DataGuards: DataGuard {
    private let guards: [any DataGuard]

    /// Creates a guard of guards.
    public init(_ guards: [any DataGuard]) { self.guards = guards }

    /// The first refusal of any guard.
    public func refusal(for role: ImageReference.Role, _ priority: ImagePriority) -> String? {
        for dataGuard in guards {
            if let refusal = dataGuard.refusal(for: role, priority) { return refusal }
        }
        return nil
    }
}
