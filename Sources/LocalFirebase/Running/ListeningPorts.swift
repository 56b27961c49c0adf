// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import NIOConcurrencyHelpers
import Wire

/// Collects the ports as the servers open them.
final class ListeningPorts: Sendable {
    private let host: String
    private let hosts: [EmulatorService: String]
    private let expected: Set<EmulatorService>
    private let ports = NIOLockedValueBox<[EmulatorService: Int]>([:])
    private let opened: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    /// Waits for the services that a configuration has.
    init(_ configuration: EmulatorConfiguration) {
        host = ListeningHost(configuration.host).address
        hosts = configuration.hosts.mapValues { ListeningHost($0).address }
        expected = configuration.ports.services.subtracting(configuration.unserved)
        (opened, continuation) = AsyncStream.makeStream()
    }

    func opened(_ name: EmulatorService, port: Int) {
        ports.withLockedValue { $0[name] = port }
        continuation.yield()
    }

    /// Waits until all ports are open.
    func all() async throws(CancellationError) -> EmulatorAddresses {
        for await _ in opened {
            let ports = ports.withLockedValue { $0 }
            guard expected.isSubset(of: ports.keys) else { continue }
            var found = EmulatorPorts(
                firestore: ports[.firestore] ?? 0,
                storage: ports[.storage] ?? 0,
                console: ports[.console] ?? 0,
                auth: ports[.auth],
                websocket: ports[.websocket]
            )
            (found.hub, found.logging) = (ports[.hub], ports[.logging])
            return EmulatorAddresses(host: host, hosts: hosts, ports: found)
        }
        // The stream ends only with the task that reads it.
        throw CancellationError()
    }

    /// The services by the names that tools of Firebase know: the console stands in the place of their user interface.
    @Sendable func suiteServices() -> [ListeningService] { services { $0 == .console ? "ui" : $0.rawValue } }

    /// The services by our own names.
    @Sendable func services() -> [ListeningService] { services { $0.rawValue } }

    /// A service that listens already.
    func service(_ service: EmulatorService) -> ListeningService? {
        ports.withLockedValue { $0[service] }.map { port in
            ListeningService(name: service.rawValue, host: hosts[service] ?? host, port: port)
        }
    }

    private func services(_ name: (EmulatorService) -> String) -> [ListeningService] {
        let ports = ports.withLockedValue { $0 }
        return EmulatorService.allCases.filter { $0 != .websocket }.compactMap { service in
            ports[service].map { port in
                ListeningService(
                    name: name(service),
                    host: hosts[service] ?? host,
                    port: port,
                    webSocketPort: service == .firestore ? ports[.websocket] : nil
                )
            }
        }
    }
}

extension EmulatorPorts {
    /// The services that are to listen: three always do.
    fileprivate var services: Set<EmulatorService> {
        let others: [(EmulatorService, Int?)] = [
            (.auth, auth), (.websocket, websocket), (.hub, hub), (.logging, logging),
        ]
        return Set([.firestore, .storage, .console] + others.filter { $0.1 != nil }.map(\.0))
    }
}

extension EmulatorConfiguration {
    /// The name or address at which a service listens.
    func host(of service: EmulatorService) -> String { hosts[service] ?? host }
}
