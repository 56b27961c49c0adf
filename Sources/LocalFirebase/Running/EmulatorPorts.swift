// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The ports of the three services.
package struct EmulatorPorts: Sendable, Hashable {
    /// Firestore's port.
    package var firestore: Int
    /// Cloud Storage's port.
    package var storage: Int
    /// The console's port.
    package var console: Int

    /// Any free ports.
    package static let free = Self(firestore: 0, storage: 0, console: 0)

    /// Creates ports.
    package init(firestore: Int, storage: Int, console: Int) {
        self.firestore = firestore
        self.storage = storage
        self.console = console
    }
}
