// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// A service that listens on a port of this emulator.
package struct ListeningService: Sendable {
    let name: String
    let host: String
    let port: Int
    let webSocketPort: Int?

    /// Creates an address; a service may have the port of a WebSocket beside its own.
    package init(name: String, host: String, port: Int, webSocketPort: Int? = nil) {
        self.name = name
        self.host = host
        self.port = port
        self.webSocketPort = webSocketPort
    }

    /// The entry of `/emulators` and `/api/config`.
    ///
    /// Source: firebase-tools 15.28.1, `src/emulator/hub.ts`, `getRunningEmulatorsMapping`.
    private var entry: JSONText {
        let listen: JSONText = .object([
            ("address", .string(host)),
            ("family", .string(host.contains(":") ? "IPv6" : "IPv4")),
            ("port", .integer(Int64(port))),
        ])
        let address: [(String, JSONText)] = [
            ("listen", .array([listen])),
            ("name", .string(name)),
            ("host", .string(connectableHost)),
            ("port", .integer(Int64(port))),
        ]
        // The members by which Firebase's user interface finds the requests that rules judge.
        let webSocket = webSocketPort.map { port in
            [("webSocketHost", JSONText.string(connectableHost)), ("webSocketPort", .integer(Int64(port)))]
        }
        return .object(address + (webSocket ?? []))
    }

    /// The address to which clients connect: they cannot connect to that which stands for all.
    ///
    /// Source: firebase-tools 15.28.1, `src/utils.ts`, `connectableHostname`.
    private var connectableHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }

    /// The services by name, as the hub and the user interface of Firebase have them.
    static func map(_ services: [Self]) -> [(String, JSONText)] { services.map { ($0.name, $0.entry) } }

    /// The address to which clients connect, as URLs write it: `127.0.0.1:4400`, `[::1]:4400`.
    package var authority: String {
        "\(connectableHost.contains(":") ? "[\(connectableHost)]" : connectableHost):\(port)"
    }
}
