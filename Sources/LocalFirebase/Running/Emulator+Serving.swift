// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import ConsoleServer
import FirestoreServer
import FunctionEvents
import Metering
import SecurityRules
import ServiceLifecycle
import StorageServer
import SuiteFiles
import UnixSignals
import Wire

extension Emulator {
    /// How long what waits for functions is still sent when all else has ended.
    private static let eventGrace = Duration.seconds(1)

    /// Serves while `body` runs, which begins when all ports accept connections.
    func serve<Result: Sendable>(
        _ rooms: EmulatorRooms,
        stoppingOn signals: [UnixSignal],
        _ body: @escaping @Sendable (EmulatorAddresses, DirectServers) async throws -> Result
    ) async throws -> Result {
        let listening = ListeningPorts(configuration)
        let events = rooms.sendEvents(as: configuration, listening) { [onExport] in onExport(.warning($0)) }
        defer { events?.close() }
        let projects = projectWatch()
        let services = services(of: rooms, events: events, projects: projects)
        let deliveries = DeliveryWatch()
        let workplace = Workplace(
            signals: signals,
            services: servers(
                of: rooms,
                services: services,
                projects: projects,
                listening: listening,
                deliveries: deliveries,
                events: events
            ),
            watch: endSignals
        )
        do {
            let result = try await workplace.run {
                let addresses = try await listening.all()
                addresses.hub.map(locator.write)
                defer { locator.remove() }
                return try await body(addresses, services)
            }
            await deliveries.settle()
            await events?.finish(within: Self.eventGrace)
            return result
        } catch {
            await deliveries.settle()
            throw (error as? WireError).map(EmulatorError.cannotListen) ?? error
        }
    }

    /// The services behind the ports, which answer without them, too; for the console neither held up by a quota or a fault nor recorded.
    func services(
        of rooms: EmulatorRooms,
        events: FunctionEvents? = nil,
        projects: ProjectWatch? = nil,
        forConsole isForConsole: Bool = false
    ) -> DirectServers {
        let gate = configuration.enforcesQuota && !isForConsole ? rooms.quota : nil
        let recording = isForConsole ? RecordingSwitch() : rooms.recording
        let faults = isForConsole ? PlannedFaults() : rooms.faults
        let firestore = FirestoreService(
            calls: FirestoreCalls(
                store: rooms.documents,
                transactions: rooms.transactions,
                listening: rooms.listening,
                indexes: rooms.indexes,
                quota: gate,
                judge: rooms.rules.current,
                projects: projects,
                recording: recording,
                faults: faults
            ),
            rules: rooms.rules,
            emulator: emulatorCalls(rooms, events)
        )
        let exports = StorageExport(store: rooms.objects)
        let storage = StorageServer(
            store: rooms.objects,
            plannedFaults: faults,
            export: { [configuration, log] path in
                try configuration.requireMayExport(to: path)
                _ = try await TransferThread.answer { try exports.write(storageTo: path, .warning(in: log)) }
            },
            exportGate: SameOriginGate(listeningOn: configuration.host(of: .storage)),
            clock: configuration.now,
            signingKeys: rooms.signingKeys,
            quota: gate,
            judge: rooms.storageRules.current,
            rules: rooms.storageRules,
            projects: projects,
            recording: recording,
            makeToken: configuration.makeToken
        )
        return DirectServers(firestore: firestore, storage: storage)
    }

    /// Reports calls for other projects, where that is asked for: one of all services.
    private func projectWatch() -> ProjectWatch? {
        configuration.otherProjectsAdvice.map { advice in
            ProjectWatch(project: configuration.project, advice: advice) { [onExport] in onExport(.warning($0)) }
        }
    }

    /// Answers what only emulators take on Firestore's port.
    private func emulatorCalls(_ rooms: EmulatorRooms, _ events: FunctionEvents?) -> EmulatorEndpoint {
        let files = DocumentFileCalls(rooms, configuration, log)
        return { request in
            if let answer = events?.answer(request) { return answer }
            return await files.answer(request)
        }
    }

    private func servers(
        of rooms: EmulatorRooms,
        services: DirectServers,
        projects: ProjectWatch?,
        listening: ListeningPorts,
        deliveries: DeliveryWatch,
        events: FunctionEvents?
    ) -> [any Service] {
        let ports = configuration.ports
        let audit = KernelAudit()
        let (firestore, storage) = (services.firestore, services.storage)
        let accounts = authContext(rooms, projects)
        let console = ConsoleServer(
            ledger: rooms.ledger,
            quota: rooms.quota,
            audit: audit,
            missingIndexes: { rooms.indexes.missingIndexes },
            rules: { [profile = configuration.profile] in rooms.rulesReport(pricedBy: profile) },
            functions: { events?.report ?? .noEvents },
            export: exporting(rooms),
            interface: SuiteInterface(
                project: configuration.project,
                services: listening.suiteServices,
                directory: configuration.interfacePath
            ),
            api: consoleAPI(rooms, accounts, events),
            gate: SameOriginGate(listeningOn: configuration.host(of: .console)),
            listeners: listening.services
        )
        let always = [
            server(
                .firestore,
                service: firestore,
                port: ports.firestore,
                sink: rooms.sink(),
                listening: listening,
                deliveries: deliveries,
                audit: audit,
                link: rooms.link
            ),
            server(
                .storage,
                service: storage,
                port: ports.storage,
                sink: rooms.sink(),
                listening: listening,
                deliveries: deliveries,
                audit: audit,
                link: rooms.link
            ),
            server(
                .console,
                service: console,
                port: ports.console,
                sink: nil,
                listening: listening,
                deliveries: deliveries,
                audit: audit
            ),
        ]
        let served = zip([EmulatorService.firestore, .storage, .console], always)
            .filter { !configuration.unserved.contains($0.0) }.map(\.1)
        return served + authServer(accounts, rooms, listening, deliveries, audit)
            + hub(rooms, listening, deliveries, audit, events) + [
                ListenHeartbeat(listening: rooms.listening),
                // Behind the servers, and so stopped before they wait for what is in flight.
                TransactionWaits(transactions: rooms.transactions),
            ] + quotaWatch(rooms) + rulesWatch(rooms) + rulesFeed(rooms, listening) + logFeed(listening)
            + functionWatch(events, accounts)
    }

    private func authContext(_ rooms: EmulatorRooms, _ projects: ProjectWatch?) -> AuthContext? {
        guard let accounts = rooms.accounts else { return nil }
        return AuthContext(
            store: accounts,
            clock: rooms.accountClock,
            profile: configuration.authProfile,
            project: configuration.project,
            refusesOtherProjects: configuration.refusesOtherProjects,
            projects: projects,
            onMessage: { [onMessage = configuration.onMessage] in onMessage($0.line) },
            onWarning: { [onExport] in onExport(.warning($0)) }
        )
    }

    /// Authentication, where it is served.
    private func authServer(
        _ context: AuthContext?,
        _ rooms: EmulatorRooms,
        _ listening: ListeningPorts,
        _ deliveries: DeliveryWatch,
        _ audit: KernelAudit
    ) -> [any Service] {
        guard let port = configuration.ports.auth, let context else { return [] }
        return [
            server(
                .auth,
                service: AuthServer(context, faults: rooms.faults),
                port: port,
                sink: rooms.sink(isLogged: false),
                listening: listening,
                deliveries: deliveries,
                audit: audit,
                link: rooms.link
            )
        ]
    }

    /// Shows requests as Security Rules judge them, where there is a port for that.
    private func rulesFeed(_ rooms: EmulatorRooms, _ listening: ListeningPorts) -> [any Service] {
        guard let port = configuration.ports.websocket, let feed = rooms.rules.judge.feed else { return [] }
        return [
            WebSocketServer(
                host: configuration.host(of: .websocket),
                port: port,
                otherPorts: configuration.otherPorts[.websocket] ?? [],
                path: "/requests",
                source: { feed.listen($0) },
                onWarning: { [onExport] in onExport(.warning($0)) },
                onReady: { listening.opened(.websocket, port: $0) }
            )
        ]
    }

    /// Reports the quota, where there is one and a listener.
    private func quotaWatch(_ rooms: EmulatorRooms) -> [any Service] {
        guard let quota = rooms.quota, let onQuota else { return [] }
        return [QuotaWatch(quota: quota, onChange: onQuota)]
    }

    /// Reads rules again when their files change, where there are any.
    private func rulesWatch(_ rooms: EmulatorRooms) -> [any Service] {
        let onChange: @Sendable (String) -> Void = { [onExport] in onExport(.warning($0)) }
        let (rules, storageRules) = (rooms.rules, rooms.storageRules)
        func watch(_ file: RulesFile?, _ replace: @escaping @Sendable (CompiledRules) -> Void) -> [any Service] {
            file.map { [RulesFileWatch(file: $0, replace: replace, onChange: onChange)] } ?? []
        }
        return watch(configuration.rulesFile) { rules.replaceCommon($0) }
            + configuration.rulesFilesOfDatabases.flatMap { name, file in
                watch(file) { rules.replaceCommon($0, of: name) }
            }
            + watch(configuration.storageRulesFile) { storageRules.replace(.same($0)) }
            + (configuration.rulesFilesOfBuckets ?? [:]).flatMap { bucket, file in
                watch(file) { storageRules.replace($0, of: bucket) }
            }
    }

    func server(
        _ name: EmulatorService,
        service: any WireService,
        port: Int,
        sink: (any UsageRecording)?,
        listening: ListeningPorts,
        deliveries: DeliveryWatch,
        audit: KernelAudit,
        link: NetworkLink? = nil
    ) -> WireServer {
        WireServer(
            host: configuration.host(of: name),
            port: port,
            otherPorts: configuration.otherPorts[name] ?? [],
            service: service,
            sink: sink,
            deliveries: deliveries,
            audit: audit,
            link: link,
            now: configuration.now,
            onWarning: { [onExport] in onExport(.warning($0)) },
            onReady: { listening.opened(name, port: $0) }
        )
    }
}
