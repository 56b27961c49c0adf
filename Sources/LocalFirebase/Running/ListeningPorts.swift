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
        case auth
        case websocket
    }

    private let host: String
    /// The services that need not be there.
    private let others: [Name]
    private let ports = NIOLockedValueBox<[Name: Int]>([:])
    private let opened: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    /// Waits for the three services that are always there, and for others that are to be.
    init(host: String, others: [Name]) {
        (self.host, self.others) = (host, others)
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
                others.allSatisfy({ ports[$0] != nil })
            {
                return EmulatorAddresses(
                    host: host,
                    ports: EmulatorPorts(
                        firestore: firestore,
                        storage: storage,
                        console: console,
                        auth: ports[.auth],
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
        return [Name.auth, .firestore, .storage, .console].compactMap { name in
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
