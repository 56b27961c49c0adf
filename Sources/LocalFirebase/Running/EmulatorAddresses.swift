// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Where a running emulator listens.
package struct EmulatorAddresses: Sendable, Hashable {
    /// The address.
    package let host: String
    /// The ports, none of them 0.
    package let ports: EmulatorPorts

    /// Firestore's address, `host:port`.
    package var firestore: String { "\(urlHost):\(ports.firestore)" }
    /// Cloud Storage's address, `host:port`.
    package var storage: String { "\(urlHost):\(ports.storage)" }
    /// The console's address, `host:port`.
    package var console: String { "\(urlHost):\(ports.console)" }

    /// The address as URLs write it: IPv6 in brackets.
    private var urlHost: String { host.contains(":") ? "[\(host)]" : host }
}
