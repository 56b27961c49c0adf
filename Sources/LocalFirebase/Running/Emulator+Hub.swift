// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import FunctionEvents
import ServiceLifecycle
import Wire

extension Emulator {
    /// The hub by which tools of Firebase find the services, where it is served.
    func hub(
        _ rooms: EmulatorRooms,
        _ listening: ListeningPorts,
        _ deliveries: DeliveryWatch,
        _ audit: KernelAudit,
        _ events: FunctionEvents?
    ) -> [any Service] {
        guard let port = configuration.ports.hub else { return [] }
        let locator: @Sendable () -> HubLocator = {
            HubLocator(origins: listening.service(.hub).map { ["http://\($0.authority)"] } ?? [])
        }
        let server = HubServer(
            locator: locator,
            services: listening.suiteServices,
            export: exporting(rooms),
            triggers: events?.switched,
            gate: SameOriginGate(listeningOn: configuration.host(of: .hub))
        )
        return [
            self.server(
                .hub,
                service: server,
                port: port,
                sink: nil,
                listening: listening,
                deliveries: deliveries,
                audit: audit
            )
        ]
    }

    /// Shows lines of the log, where they are shown.
    func logFeed(_ listening: ListeningPorts) -> [any Service] {
        guard let port = configuration.ports.logging else { return [] }
        return [
            WebSocketServer(
                host: configuration.host(of: .logging),
                port: port,
                otherPorts: configuration.otherPorts[.logging] ?? [],
                path: "/",
                source: { [log] in log.listen($0) },
                onWarning: { [onExport] in onExport(.warning($0)) },
                onReady: { listening.opened(.logging, port: $0) }
            )
        ]
    }

    /// Removes the file by which tools find the hub, if it is this process's.
    package func removeLocator() { locator.remove() }
}
