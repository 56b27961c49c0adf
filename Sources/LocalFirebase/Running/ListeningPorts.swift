// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import NIOConcurrencyHelpers

/// Collects the ports as the servers open them.
final class ListeningPorts: Sendable {
    enum Name: String {
        case firestore
        case storage
        case console
        case websocket
    }

    private let host: String
    private let hasWebSocket: Bool
    private let ports = NIOLockedValueBox<[Name: Int]>([:])
    private let opened: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    /// Waits for the port of the WebSocket, too, if there is to be one.
    init(host: String, hasWebSocket: Bool) {
        (self.host, self.hasWebSocket) = (host, hasWebSocket)
        (opened, continuation) = AsyncStream.makeStream()
    }

    func opened(_ name: Name, port: Int) {
        ports.withLockedValue { $0[name] = port }
        continuation.yield()
    }

    /// Waits until all ports are open.
    func all() async throws(CancellationError) -> EmulatorAddresses {
        for await _ in opened {
            let ports = ports.withLockedValue { $0 }
            if let firestore = ports[.firestore], let storage = ports[.storage], let console = ports[.console],
                !hasWebSocket || ports[.websocket] != nil
            {
                return EmulatorAddresses(
                    host: host,
                    ports: EmulatorPorts(
                        firestore: firestore,
                        storage: storage,
                        console: console,
                        websocket: ports[.websocket]
                    )
                )
            }
        }
        // The stream ends only with the task that reads it.
        throw CancellationError()
    }

    @Sendable func listeners() -> [ConsoleServer.Listener] {
        let ports = ports.withLockedValue { $0 }
        return [Name.firestore, .storage, .console].compactMap { name in
            ports[name].map { port in
                ConsoleServer.Listener(
                    name: name.rawValue,
                    host: host,
                    port: port,
                    webSocketPort: name == .firestore ? ports[.websocket] : nil
                )
            }
        }
    }
}
