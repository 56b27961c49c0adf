// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import NIOConcurrencyHelpers

/// Collects the ports as the servers open them.
final class ListeningPorts: Sendable {
    enum Name: String, CaseIterable {
        case firestore
        case storage
        case console
    }

    private let host: String
    private let ports = NIOLockedValueBox<[Name: Int]>([:])
    private let opened: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init(host: String) {
        self.host = host
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
            if let firestore = ports[.firestore], let storage = ports[.storage], let console = ports[.console] {
                return EmulatorAddresses(
                    host: host,
                    ports: EmulatorPorts(firestore: firestore, storage: storage, console: console)
                )
            }
        }
        // The stream ends only with the task that reads it.
        throw CancellationError()
    }

    @Sendable func listeners() -> [ConsoleServer.Listener] {
        let ports = ports.withLockedValue { $0 }
        return Name.allCases.compactMap { name in
            ports[name].map { ConsoleServer.Listener(name: name.rawValue, host: host, port: $0) }
        }
    }
}
