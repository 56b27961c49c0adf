// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreSamples
import Foundation
import TestSupport

@testable import SuiteFiles

/// A store, and a directory for exports.
struct FirestoreFixture {
    let directory = TemporaryDirectory()
    let store: SQLiteDocumentStore

    init() throws {
        store = try Self.makeStore()
    }

    static func makeStore() throws -> SQLiteDocumentStore {
        try SQLiteDocumentStore(location: .memory, clock: { noon })
    }

    /// Stores documents of two databases and of another project.
    func fill() throws {
        for (text, database) in [
            ("c/a", demo), ("c/a/d/b", demo), ("c/__id7__", demo),
            ("c/x", DatabaseID(project: "demo", database: "db2")),
            ("c/foreign", DatabaseID(project: "elsewhere")),
        ] {
            let fields: [String: Value] = ["path": .string(text), "l": .array([]), "n": .null]
            _ = try store.commit([.set(path(text), fields: fields)], in: database)
        }
    }

    /// Exports a project, and returns the folders' names.
    @discardableResult
    func export(project: String = "demo") throws -> [String] {
        try FirestoreExport(store: store).write(project: project, to: directory.path).folders.map(\.name)
    }

    /// The entry of an exported folder.
    func overallFile(_ name: String = "firestore_export") -> String {
        directory.file("\(name)/\(name).overall_export_metadata")
    }

    /// Imports an export into a store.
    @discardableResult
    func load(
        _ overallFile: String? = nil,
        into target: SQLiteDocumentStore,
        _ database: DatabaseID = demo
    ) throws -> (counts: DocumentCounts, warnings: [String]) {
        var warnings: [String] = []
        let source = FirestoreImport.Source(overallFile: overallFile ?? self.overallFile(), database: database)
        var work = FirestoreImport(store: target, sources: [source])
        work.onWarning = { warnings.append($0) }
        return (try work.run(), warnings)
    }

    /// The error of an import; `nil` when it succeeds.
    func loadFailure(_ overallFile: String? = nil, into target: SQLiteDocumentStore) throws -> ExportError? {
        do {
            try load(overallFile, into: target)
            return nil
        } catch let error as ExportError {
            return error
        }
    }

    /// All documents of a store by database and path.
    static func contents(of store: SQLiteDocumentStore) throws -> [DatabaseID: [String: [String: Value]]] {
        try store.scanning { scan in
            var contents: [DatabaseID: [String: [String: Value]]] = [:]
            for database in try scan.databases() {
                try scan.visitDocuments(of: database) { path, fields in
                    contents[database, default: [:]][path.description] = try FieldsDecoder.decode(Array(fields))
                }
            }
            return contents
        }
    }

    /// The bytes of a file of the export.
    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: directory.file(name))))
    }

    func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: directory.file(name), toPath: directory.file(other))
    }
}
