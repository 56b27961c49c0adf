// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import ConsoleServer
import FirestoreModel
import FirestoreServer
import Foundation
import HTTPTypes
import JSON
import SuiteFiles
import Wire

/// Imports and exports of Firestore alone, as the official emulator takes them from firebase-tools.
///
///     POST /emulator/v1/projects/P:export {database, export_directory, export_name}
///     POST /emulator/v1/projects/P:import {database, export_directory: the overall file}
///
/// Source: firebase-tools 15.28.1, `src/emulator/hubExport.ts`, and the official emulator 1.22.0.
struct DocumentFileCalls: Sendable {
    private static let importVerb = ":import"
    private static let exportVerb = ":export"
    private static let done: [UInt8] = Array("{\n}\n".utf8)

    let rooms: EmulatorRooms
    let configuration: EmulatorConfiguration
    private let log: SuiteLog
    private let gate: SameOriginGate

    /// Answers for rooms; what is left out is in the log.
    init(_ rooms: EmulatorRooms, _ configuration: EmulatorConfiguration, _ log: SuiteLog) {
        (self.rooms, self.configuration, self.log) = (rooms, configuration, log)
        gate = SameOriginGate(listeningOn: configuration.host(of: .firestore))
    }

    func answer(_ request: EmulatorRequest) async -> (status: Int, body: [UInt8])? {
        let verb = [Self.importVerb, Self.exportVerb].first { request.target.hasSuffix($0) }
        guard let verb, request.head.method == .post else { return nil }
        let project = String(request.target.dropFirst(EmulatorRequest.pathPrefix.count).dropLast(verb.count))
        // A page of some site in the developer's browser must neither read nor write files.
        if let reason = gate.refusal(of: request.head) { return Self.refusal(403, "PERMISSION_DENIED", reason) }
        if request.head.headerFields[.origin] != nil {
            return Self.refusal(403, "PERMISSION_DENIED", "Pages cannot import or export.")
        }
        do {
            let json = try JSONValue(parsing: request.body)
            let database = Self.database(of: json, project: project.removingPercentEncoding ?? project)
            let directory = json["export_directory"]?.string ?? ""
            if let fault = ExportPath.fault(in: directory) { return Self.refusal(400, "INVALID_ARGUMENT", fault) }
            if verb == Self.importVerb {
                try await load(directory, into: database)
            } else {
                guard try await write(json, of: database, to: directory) else {
                    return Self.refusal(400, "FAILED_PRECONDITION", "export_directory must be a directory")
                }
            }
            return (200, Self.done)
        } catch let error as FirestoreError {
            return Self.refusal(500, "INTERNAL", error.message)
        } catch {
            return Self.refusal(400, "INVALID_ARGUMENT", "\(error)")
        }
    }

    private func load(_ file: String, into database: DatabaseID) async throws {
        try configuration.requireMayExport(to: file)
        let source = FirestoreImport.Source(overallFile: file, database: database)
        try await TransferThread.answer { [rooms, log] in
            var load = FirestoreImport(store: rooms.documents, sources: [source])
            load.onWarning = { log.add($0, level: "warn") }
            _ = try load.run()
        }
    }

    /// Writes an export; `false` where there is no such directory.
    private func write(_ json: JSONValue, of database: DatabaseID, to directory: String) async throws -> Bool {
        try configuration.requireMayExport(to: directory)
        let name = json["export_name"]?.string ?? "firestore_export_\(configuration.now() / 1_000_000)"
        guard !name.isEmpty, !name.contains("/"), ![".", ".."].contains(name), !name.utf8.contains(0),
            try FileTree.kind(of: directory) == .directory
        else { return false }
        let root = FileTree.absolute(directory)
        try await TransferThread.answer { [rooms] in
            _ = try FirestoreExport(store: rooms.documents).writeWhole(database, to: root, named: name)
        }
        return true
    }

    /// The database that a body names in full, or the default one.
    private static func database(of json: JSONValue, project: String) -> DatabaseID {
        let parts = json["database"]?.string?.split(separator: "/").map(String.init) ?? []
        guard parts.count == 4, parts[0] == "projects", parts[2] == "databases" else {
            return DatabaseID(project: project)
        }
        return DatabaseID(project: parts[1], database: parts[3])
    }

    private static func refusal(_ code: Int, _ status: String, _ message: String) -> (status: Int, body: [UInt8]) {
        let error: [(String, JSONText)] = [
            ("code", .integer(Int64(code))), ("message", .string(message)), ("status", .string(status)),
        ]
        return (code, Array(JSONText.object([("error", .object(error))]).rendered(isIndented: false).utf8))
    }
}
