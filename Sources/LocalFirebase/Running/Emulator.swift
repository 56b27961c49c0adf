// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import FeedDataSet
package import Metering
import ObjectStore
import SessionLog
package import UnixSignals

/// A local Firebase: stores, servers, meter and console, started and stopped together.
package struct Emulator: Sendable {
    /// The signals by which a process is asked to end.
    package static let terminationSignals: [UnixSignal] = [.sigterm, .sigint]
    /// The signals by which Firebase's own command is asked to end (firebase-tools 15.28.1, `commandUtils.ts`).
    package static let suiteTerminationSignals: [UnixSignal] = [.sigterm, .sigint, .sighup, .sigquit]

    let configuration: EmulatorConfiguration
    private let onSeedProgress: @Sendable (SeedProgress) -> Void
    private let onSeeded: @Sendable (SeedOutcome) -> Void
    let onExport: @Sendable (ExportEvent) -> Void
    let onQuota: (@Sendable (QuotaStatus) -> Void)?
    /// The lines that the log shows.
    let log: SuiteLog
    /// The file by which tools of Firebase find the hub.
    let locator: HubLocatorFile
    /// Hears the signals that stop a run, until all that is to be saved is saved.
    package var endSignals: EndSignals?

    /// Creates an emulator that opens its files and ports when it is run.
    ///
    /// `onQuota` receives the used share of the quota while the emulator serves.
    package init(
        _ configuration: EmulatorConfiguration,
        onSeedProgress: @escaping @Sendable (SeedProgress) -> Void = { _ in },
        onSeeded: @escaping @Sendable (SeedOutcome) -> Void = { _ in },
        onExport: @escaping @Sendable (ExportEvent) -> Void = { _ in },
        onQuota: (@Sendable (QuotaStatus) -> Void)? = nil
    ) {
        let log = SuiteLog(now: configuration.now)
        self.log = log
        self.configuration = configuration.writing(to: log)
        self.onSeedProgress = onSeedProgress
        self.onSeeded = onSeeded
        let onExport: @Sendable (ExportEvent) -> Void = { event in
            event.write(to: log)
            onExport(event)
        }
        self.onExport = onExport
        locator = HubLocatorFile(configuration) { onExport(.warning($0)) }
        self.onQuota = onQuota
    }

    /// Opens, imports, seeds and serves; calls `body` when all ports accept connections, and stops and exports when it
    /// returns.
    ///
    /// - Parameters:
    ///   - signals: Signals that cancel the seeding or `body`; requests in flight are finished.
    ///   - body: Runs while the emulator serves.
    /// - Returns: What `body` returned.
    /// - Throws: ``EmulatorError``, or the error of `body`.
    package func run<Result: Sendable>(
        stoppingOn signals: [UnixSignal] = [],
        _ body: @escaping @Sendable (EmulatorAddresses) async throws -> Result
    ) async throws -> Result {
        try await runWithServers(stoppingOn: signals) { addresses, _ in try await body(addresses) }
    }

    /// As above; `body` may ask the servers without a socket, too, which is not counted.
    package func runWithServers<Result: Sendable>(
        stoppingOn signals: [UnixSignal] = [],
        _ body: @escaping @Sendable (EmulatorAddresses, DirectServers) async throws -> Result
    ) async throws -> Result {
        try FileDescriptorLimit.raise()
        try MemoryLimit.prepare()
        FileSizeLimit.prepare()
        return try await withRooms(stoppingOn: signals) { rooms in
            try await serve(rooms, stoppingOn: signals, body)
        }
    }

    /// Opens, imports and seeds, but listens nowhere: `body` asks the servers without a socket.
    package func runDirectly<Result: Sendable>(
        stoppingOn signals: [UnixSignal] = [],
        _ body: @escaping @Sendable (DirectServers) async throws -> Result
    ) async throws -> Result {
        try await withRooms(stoppingOn: signals) { rooms in
            try await Workplace(signals: signals, watch: endSignals).run { try await body(services(of: rooms)) }
        }
    }

    private func withRooms<Result: Sendable>(
        stoppingOn signals: [UnixSignal],
        _ body: (EmulatorRooms) async throws -> Result
    ) async throws -> Result {
        try requireExportable()
        let dataSet = try FeedDataSet(seedOf: configuration)
        let header = SessionHeader(recordedBy: configuration, dataSet: dataSet)
        let rooms = try EmulatorRooms.open(configuration, header: header) { [onExport] in
            onExport(.warning($0))
        }
        let result: Result
        do {
            try await importData(into: rooms, stoppingOn: signals)
            if let dataSet { onSeeded(try await seed(dataSet, into: rooms, stoppingOn: signals)) }
            try await storePlaceholders(in: rooms, stoppingOn: signals)
            try makeDefaultBucket(in: rooms)
            try endSignals?.requireNone()
            result = try await body(rooms)
        } catch {
            // The error that ended the run explains more than what closing after it may say.
            try? rooms.close()
            throw error
        }
        do {
            try await exportData(of: rooms)
            endSignals?.finish()
        } catch {
            endSignals?.finish()
            throw error.withData(keptIn: rooms.closeKeepingData())
        }
        try rooms.close()
        return result
    }

    /// Makes the bucket that firebase-tools lists where there is no other (15.28.1, `src/emulator/storage/files.ts`).
    private func makeDefaultBucket(in rooms: EmulatorRooms) throws {
        guard configuration.makesDefaultBucket, let name = BucketName("\(configuration.project).appspot.com"),
            try rooms.objects.buckets(after: "", count: 1).isEmpty
        else { return }
        _ = try rooms.objects.createBucket(name)
    }

    private func seed(
        _ dataSet: FeedDataSet,
        into rooms: EmulatorRooms,
        stoppingOn signals: [UnixSignal]
    ) async throws -> SeedOutcome {
        let seeder = FeedSeeder(
            dataSet: dataSet,
            rooms: rooms,
            makeToken: configuration.makeToken,
            onProgress: onSeedProgress
        )
        let variantSeeder = VariantSeeder(
            dataSet: dataSet,
            variants: configuration.seedVariants,
            isRequired: configuration.requiresSeedVariants,
            rooms: rooms,
            makeToken: configuration.makeToken
        )
        return try await seeding(stoppingOn: signals) {
            let outcome = try await seeder.seed()
            try await variantSeeder.seed()
            return outcome
        }
    }

    private func storePlaceholders(in rooms: EmulatorRooms, stoppingOn signals: [UnixSignal]) async throws {
        guard !configuration.placeholders.isEmpty else { return }
        let seeder = PlaceholderSeeder(
            placeholders: configuration.placeholders,
            rooms: rooms,
            makeToken: configuration.makeToken
        )
        try await seeding(stoppingOn: signals) { try await seeder.seed() }
    }

    private func seeding<Outcome: Sendable>(
        stoppingOn signals: [UnixSignal],
        _ work: @escaping @Sendable () async throws -> Outcome
    ) async throws -> Outcome {
        try await Workplace(signals: signals, watch: endSignals).run {
            do {
                return try await work()
            } catch let error as CancellationError {
                throw error
            } catch {
                throw EmulatorError(seeding: error)
            }
        }
    }
}
