// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Wire

/// The address of the Functions emulator.
package struct FunctionsAddress: Sendable, Hashable {
    /// `http://127.0.0.1:5001`.
    private let base: String

    /// Reads `HOST:PORT`; `nil` for other texts.
    package init?(_ text: String) {
        let base = "http://\(text)"
        guard text.contains(":"), text.utf8.allSatisfy(Self.isHostOrPort), OutgoingCall.canSend(to: base) else {
            return nil
        }
        self.base = base
    }

    private static func isHostOrPort(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"/?#@".utf8.contains(byte)
    }

    /// The URL of a function.
    func trigger(_ key: String, project: String) -> String {
        "\(base)/functions/projects/\(PercentCoding.encode(project))/triggers/\(PercentCoding.encode(key))"
    }

    /// The URL of an HTTP function.
    func function(_ name: String, region: String, project: String) -> String {
        "\(base)/\(PercentCoding.encode(project))/\(PercentCoding.encode(region))/\(PercentCoding.encode(name))"
    }

    /// The URL at which all functions are listed.
    var listing: String { "\(base)/backends" }

    /// The URL for events of which the Functions emulator knows the functions.
    func multicast(project: String) -> String {
        "\(base)/functions/projects/\(PercentCoding.encode(project))/trigger_multicast"
    }
}
