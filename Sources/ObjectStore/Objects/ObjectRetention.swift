// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How long an object must stay, by its own configuration.
package struct ObjectRetention: Hashable, Codable, Sendable {
    /// `Unlocked` or `Locked`.
    package var mode: String
    /// Until when the object can be neither replaced nor deleted, in microseconds since the Unix epoch.
    package var retainUntil: Int64

    /// Creates a configuration.
    package init(mode: String, retainUntil: Int64) {
        self.mode = mode
        self.retainUntil = retainUntil
    }
}
