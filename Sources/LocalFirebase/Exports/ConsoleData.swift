// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Basics
import ConsoleServer
import DocumentStore
import FirestoreModel
import Foundation
import NIOConcurrencyHelpers
import ObjectStore
import SuiteFiles
import Wire

/// All data as a whole for the console: snapshots beside the data, exports and imports where calls may have them.
struct ConsoleData: DataCalls {
    private let rooms: EmulatorRooms
    private let configuration: EmulatorConfiguration
    private let log: SuiteLog
    /// One change of all data at a time.
    private let turn = NIOLockedValueBox(())

    init(_ rooms: EmulatorRooms, _ configuration: EmulatorConfiguration, _ log: SuiteLog) {
        (self.rooms, self.configuration, self.log) = (rooms, configuration, log)
    }

    private var parent: String { rooms.directory.snapshots }

    private func path(of name: SnapshotName) -> String { "\(parent)/\(name.text)" }

    func databases() throws -> [String] {
        try rooms.documents.scanning { try $0.databases() }.map { "\($0.project)/\($0.database)" }
    }

    func snapshots() throws -> [DataSnapshot] {
        let files = FileManager.default
        guard files.fileExists(atPath: parent) else { return [] }
        return try files.contentsOfDirectory(atPath: parent).sorted().compactMap { name in
            guard SnapshotName(name) != nil else { return nil }
            let path = "\(parent)/\(name)"
            guard let date = try files.attributesOfItem(atPath: path)[.modificationDate] as? Date else { return nil }
            return DataSnapshot(
                name: name,
                microseconds: Int64(date.timeIntervalSince1970 * 1_000_000),
                byteCount: try Self.byteCount(of: path)
            )
        }
    }

    private static func byteCount(of directory: String) throws -> Int64 {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .isRegularFileKey]
        let files = FileManager.default.enumerator(
            at: URL(fileURLWithPath: directory),
            includingPropertiesForKeys: Array(keys)
        )
        var count: Int64 = 0
        while let file = files?.nextObject() as? URL {
            let values = try file.resourceValues(forKeys: keys)
            if values.isRegularFile == true { count += Int64(values.fileSize ?? 0) }
        }
        return count
    }

    func save(_ name: SnapshotName) async throws -> String {
        try await inTurn { try "\(rooms.suiteExport.write(to: path(of: name), .warning(in: log)))" }
    }

    func restore(_ name: SnapshotName) async throws -> String {
        let path = path(of: name)
        return try await inTurn {
            guard FileManager.default.fileExists(atPath: path) else { throw Self.missing(name) }
            let services = try SuiteImport.services(in: path)
            // No snapshot has such a name.
            let former = "\(parent)/.former"
            defer { try? FileManager.default.removeItem(atPath: former) }
            try rooms.suiteExport.write(to: former, .warning(in: log))
            do {
                return try replaceData(of: services, by: path)
            } catch {
                // Back to what there was; the first error says why.
                _ = try? replaceData(of: services, by: former)
                throw error
            }
        }
    }

    private func replaceData(of services: [String], by path: String) throws -> String {
        try rooms.removeExportedData(of: services)
        return try "\(SuiteImport(path, into: rooms.importParts).run(.warning(in: log)))"
    }

    func delete(_ name: SnapshotName) async throws {
        let path = path(of: name)
        _ = try await inTurn {
            guard FileManager.default.fileExists(atPath: path) else { throw Self.missing(name) }
            try FileManager.default.removeItem(atPath: path)
            return ""
        }
    }

    func export(to path: String) async throws -> String {
        try await inTurn {
            try configuration.requireMayExport(to: path)
            return try "\(rooms.suiteExport.write(to: path, .warning(in: log)))"
        }
    }

    func load(from path: String) async throws -> String {
        try await inTurn {
            try configuration.requireMayExport(to: path)
            return try "\(SuiteImport(path, into: rooms.importParts).run(.warning(in: log)))"
        }
    }

    private func inTurn(_ work: @escaping @Sendable () throws -> String) async throws -> String {
        do {
            return try await TransferThread.answer { [turn] in try turn.withLockedValue { _ in try work() } }
        } catch let error as ExportError {
            throw DataRefusal("\(error)")
        }
    }

    private static func missing(_ name: SnapshotName) -> DataRefusal {
        DataRefusal("There is no snapshot '\(name.text)'.")
    }
}

extension EmulatorRooms {
    /// Removes the data of services that exports have: those of other projects stay.
    fileprivate func removeExportedData(of services: [String]) throws {
        func isMeant(_ service: EmulatorService) -> Bool {
            services.contains(service.rawValue) && !unserved.contains(service)
        }
        if isMeant(.firestore) {
            let databases = try documents.scanning { try $0.databases() }
            for database in databases where database.project == project { try documents.deleteAll(in: database) }
        }
        if isMeant(.storage) { try objects.removeAll() }
        if isMeant(.auth), let accounts { try removeUsers(of: accounts) }
    }

    private func removeUsers(of accounts: SQLiteAccountStore) throws {
        var last: String?
        var scopes = [AccountScope(project: project)]
        repeat {
            let tenants = try accounts.tenants(of: project, after: last)
            scopes += tenants.map { AccountScope(project: project, tenant: $0.id) }
            last = tenants.last?.id
        } while last != nil
        for scope in scopes { try accounts.deleting(scope) { try $0.removeAllAccounts() } }
    }
}
