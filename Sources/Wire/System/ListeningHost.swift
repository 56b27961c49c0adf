// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The addresses at which a server listens, by the name that it is given.
///
/// `localhost` has two, and clients resolve it to either: Node.js 17 to 19 to ::1 first, and try no other.
///
/// Source: firebase-tools 15.28.1, `src/emulator/dns.ts`.
package struct ListeningHost: Sendable, Hashable {
    /// The address that clients are given.
    package let address: String
    /// The address of the same port at which a server listens as well, where the machine has it.
    let second: String?

    /// Creates the addresses of a name or an address, which is kept as it is unless it is `localhost`.
    package init(_ name: String) {
        (address, second) = name == "localhost" ? ("127.0.0.1", "::1") : (name, nil)
    }
}
