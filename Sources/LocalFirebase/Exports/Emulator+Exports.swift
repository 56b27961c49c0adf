// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthServer
import NIOConcurrencyHelpers
package import SuiteFiles
import UnixSignals

extension Emulator {
    /// How often there is news of an import or export.
    private static let progressInterval = Duration.milliseconds(250)

    /// Imports what the configuration names, before anything is served.
    func importData(into rooms: EmulatorRooms, stoppingOn signals: [UnixSignal]) async throws {
        guard let path = configuration.importPath else { return }
        // Where the first export is yet to be written there is nothing to import, as with the official emulators.
        if configuration.exportPath.map({ FileTree.absolute($0) }) == FileTree.absolute(path),
            try FileTree.kind(of: FileTree.absolute(path)) == nil
        {
            onExport(.warning("\(path) does not exist yet: nothing is imported"))
            return
        }
        let isStopped = NIOLockedValueBox(false)
        let (counts, duration) = try await Workplace(signals: signals, watch: endSignals).run {
            try await withTaskCancellationHandler {
                try await importData(at: path, into: rooms) { isStopped.withLockedValue { $0 } }
            } onCancel: {
                isStopped.withLockedValue { $0 = true }
            }
        }
        onExport(.imported(counts, from: path, within: duration))
    }

    private func importData(
        at path: String,
        into rooms: EmulatorRooms,
        until isStopped: @escaping @Sendable () -> Bool
    ) async throws -> (ExportCounts, Duration) {
        do {
            return try await metered(.importing) { [onExport] meter in
                var work = TransferWork()
                work.onWarning = { onExport(.warning($0)) }
                work.onProgress = { _ in if isStopped() { throw CancellationError() } }
                meter.count(&work)
                return try SuiteImport(path, into: rooms.importParts).run(work)
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw EmulatorError.cannotImport(error)
        }
    }

    /// Throws where the export at the end could not be written.
    func requireExportable() throws(EmulatorError) {
        guard let path = configuration.exportPath else { return }
        do {
            try SuiteExport.requireWritable(path)
        } catch {
            throw .cannotExport(error)
        }
    }

    /// Exports where the configuration says, when nothing is served any more.
    func exportData(of rooms: EmulatorRooms) async throws(EmulatorError) {
        guard let path = configuration.exportPath else { return }
        do {
            let (counts, duration) = try await metered(.exporting) { [onExport] meter in
                var work = TransferWork()
                work.onWarning = { onExport(.warning($0)) }
                meter.count(&work)
                return try rooms.suiteExport.write(to: path, work)
            }
            onExport(.exported(counts, to: path, within: duration))
        } catch {
            throw .cannotExport(error)
        }
    }

    /// Does work, reports several times a second how far it has come, and measures it.
    private func metered(
        _ direction: TransferProgress.Direction,
        _ work: @escaping @Sendable (TransferMeter) throws -> ExportCounts
    ) async throws -> (ExportCounts, Duration) {
        let meter = TransferMeter(direction)
        let start = ContinuousClock.now
        let counts = try await withThrowingTaskGroup(of: Void.self) { [onExport] group in
            defer { group.cancelAll() }
            group.addTask {
                // A cancelled sleep throws, and that is the way out.
                while (try? await Task.sleep(for: Self.progressInterval)) != nil { onExport(.progress(meter.progress)) }
            }
            return try await TransferThread.run { try work(meter) }
        }
        return (counts, start.duration(to: .now))
    }
}

/// The imports and exports of a running emulator.
package enum ExportEvent: Sendable, Hashable {
    /// All of an export was imported.
    case imported(ExportCounts, from: String, within: Duration)
    /// All data were exported.
    case exported(ExportCounts, to: String, within: Duration)
    /// The import, or the export at the end, has come this far.
    case progress(TransferProgress)
    /// Something of an export is not there, or is not for this emulator.
    case warning(String)
    /// Something that is good to know.
    case notice(String)
}

extension EmulatorRooms {
    /// The data that imports bring, in the order in which they are read.
    var importParts: [any ImportPart] {
        let parts: [any ImportPart] = [documentData, StorageImport(store: objects)] + (accountData.map { [$0] } ?? [])
        return parts.filter { isServed($0.service) }
    }

    /// Writes exports of all data.
    var suiteExport: SuiteExport {
        let parts: [any ExportPart] = (accountData.map { [$0] } ?? []) + [documentData, StorageExport(store: objects)]
        return SuiteExport(parts.filter { isServed($0.service) })
    }

    /// Whether a part's service is served: what an export has of others stays as it is.
    private func isServed(_ service: String) -> Bool {
        !unserved.contains { $0.rawValue == service }
    }

    private var documentData: DocumentData { DocumentData(store: documents, project: project) }

    private var accountData: AccountData? {
        accounts.map { accounts in
            let (profile, project) = (authProfile, project)
            let defaults = AccountDefaults(project: profile.defaults(of: project)) { tenant in
                profile.defaults(ofImportedTenant: AccountScope(project: project, tenant: tenant))
            }
            return AccountData(
                store: accounts,
                project: project,
                defaults: defaults,
                takesDuplicateEmails: profile == .production,
                now: { [accountClock] in accountClock.milliseconds }
            )
        }
    }
}
