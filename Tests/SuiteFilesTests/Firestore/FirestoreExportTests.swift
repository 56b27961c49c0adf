// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreSamples
import Foundation
import TestSupport
import Testing

@testable import SuiteFiles

/// Exports, and imports of them.
@Suite struct FirestoreExportTests {
    private static let kinds = "firestore_export/all_namespaces/all_kinds"

    private let fixture: FirestoreFixture

    init() throws {
        fixture = try FirestoreFixture()
    }

    @Test func `each database of the project has a folder of its own`() throws {
        try fixture.fill()
        #expect(try fixture.export() == ["firestore_export", "firestore_export_db2"])
        #expect(
            fixture.directory.names(in: "firestore_export") == [
                "all_namespaces", "firestore_export.overall_export_metadata",
            ]
        )
        #expect(fixture.directory.names(in: Self.kinds) == ["all_namespaces_all_kinds.export_metadata", "output-0"])
    }

    @Test func `a small document may have a large entity: each element of an array repeats the field's name`() throws {
        let name = String(repeating: "n", count: 1_400)
        let elements = [Value](repeating: .boolean(false), count: 13_000)
        _ = try fixture.store.commit([.set(path("c/a"), fields: [name: .array(elements)])], in: demo)
        try fixture.export()
        #expect(try fixture.bytes("\(Self.kinds)/output-0").count > 16 << 20)
        let other = try FirestoreFixture.makeStore()
        try fixture.load(into: other)
        #expect(try FirestoreFixture.contents(of: other) == FirestoreFixture.contents(of: fixture.store))
    }

    @Test func `the files have the bytes of the official emulator`() throws {
        _ = try fixture.store.commit(
            [.set(path("c/a"), fields: ["n": .integer(3)])],
            in: DatabaseID(project: "demo-export")
        )
        try fixture.export(project: "demo-export")
        let overall = try fixture.bytes("firestore_export/firestore_export.overall_export_metadata")
        let kind = "0a04 0802 1803 1241" + hexadecimal(Array(FirestoreLayout.kindsFile.utf8)) + "1801 203a"
        #expect(hexadecimal(Array(overall[..<8])) == "b86d444e01000133")
        #expect(hexadecimal(Array(overall[15...])) == ("0a4d" + kind).filter { $0 != " " })
        #expect(hexadecimal(Array(try fixture.bytes("\(Self.kinds)/output-0")[..<7])) == "b958103d330001")
        let metadata = try fixture.bytes("\(Self.kinds)/all_namespaces_all_kinds.export_metadata")
        let name = hexadecimal(Array("firestore_export".utf8))
        #expect(hexadecimal(metadata).hasPrefix("0a240a10\(name)10"))
        #expect(hexadecimal(metadata).hasSuffix("120c0a0012086f75747075742d30"))
        #expect(metadata.count == 52)
    }

    @Test func `an empty database has the overall file alone`() throws {
        #expect(try fixture.export() == ["firestore_export"])
        #expect(fixture.directory.names(in: "firestore_export") == ["firestore_export.overall_export_metadata"])
        #expect(try fixture.load(into: fixture.store).counts.documents == 0)
    }

    @Test func `all databases come back, into another project too`() throws {
        try fixture.fill()
        try fixture.export()
        let target = try FirestoreFixture.makeStore()
        for (name, database) in [("firestore_export", "(default)"), ("firestore_export_db2", "db2")] {
            for project in ["demo", "new"] {
                try fixture.load(
                    fixture.overallFile(name),
                    into: target,
                    DatabaseID(project: project, database: database)
                )
            }
        }
        let before = try FirestoreFixture.contents(of: fixture.store)
        let after = try FirestoreFixture.contents(of: target)
        for (database, documents) in before where database.project == "demo" {
            #expect(after[database] == documents)
            #expect(after[DatabaseID(project: "new", database: database.database)] == documents)
        }
        #expect(after.count == 4)
    }

    @Test func `random documents survive, and a second export has the first one's bytes`() throws {
        var random = RandomValues(seed: 71)
        for number in 0..<400 {
            let fields = random.fields(depth: 3)
            let document = "c\(number % 7)/\(number * 7_919)"
            _ = try? fixture.store.commit([.set(path(document), fields: fields)], in: demo)
        }
        try fixture.export()
        let first = try fixture.bytes("\(Self.kinds)/output-0")
        let target = try FirestoreFixture.makeStore()
        try fixture.load(into: target)
        #expect(try FirestoreFixture.contents(of: target) == FirestoreFixture.contents(of: fixture.store))
        _ = try FirestoreExport(store: target).write(demo, to: fixture.directory.path, named: "second")
        #expect(try fixture.bytes("second/all_namespaces/all_kinds/output-0") == first)
    }

    @Test func `documents of other databases are left out with a warning`() throws {
        try fixture.fill()
        try fixture.export()
        let target = try FirestoreFixture.makeStore()
        let overall = fixture.overallFile("firestore_export_db2")
        let result = try fixture.load(overall, into: target)
        #expect(result.counts.documents == 0)
        #expect(result.warnings == ["left out of \(overall): documents of other databases than (default) (1)"])
    }

    @Test func `a folder and its files may be renamed, and colons replaced`() throws {
        _ = try fixture.store.commit([.set(path("a:b/x"), fields: [:])], in: demo)
        _ = try FirestoreExport(store: fixture.store).write(demo, to: fixture.directory.path, named: "2026-11-28T09:00")
        try fixture.move("2026-11-28T09:00", to: "copied")
        try fixture.move("copied/2026-11-28T09:00.overall_export_metadata", to: "copied/x.overall_export_metadata")
        let entry = try #require(try FirestoreImport.overallFile(in: fixture.directory.file("copied")))
        #expect(entry.hasSuffix("copied/x.overall_export_metadata"))
        let target = try FirestoreFixture.makeStore()
        #expect(try fixture.load(entry, into: target).counts.documents == 1)
        #expect(try FirestoreFixture.contents(of: target)[demo]?.keys.first == "a:b/x")
    }

    @Test func `documents of other projects are left out, with a warning`() throws {
        try fixture.fill()
        var warnings: [String] = []
        var work = TransferWork()
        work.onWarning = { warnings.append($0) }
        let documents = DocumentData(store: fixture.store, project: "demo")
        #expect(try SuiteExport([documents]).write(to: fixture.directory.file("export"), work).documents == 4)
        #expect(warnings == ["left out of the export: documents of projects other than demo (elsewhere)"])
    }

    @Test func `an export stops when its progress throws`() throws {
        try fixture.fill()
        var work = FirestoreExport(store: fixture.store)
        work.onProgress = { _ in throw CancellationError() }
        #expect(throws: CancellationError.self) { try work.write(project: "demo", to: fixture.directory.path) }
    }

    @Test func `names of databases become names of folders`() {
        let databases = ["(default)", "db-2", "a b/é", ".."].map { DatabaseID(project: "p", database: $0) }
        let names = databases.map(FirestoreLayout.folder)
        let expected = ["", "_db-2", "_a%20b%2F%C3%A9", "_%2E%2E"].map { "firestore_export" + $0 }
        #expect(names == expected)
    }

    @Test func `all databases of a project come back at once, in another project, too`() throws {
        try fixture.fill()
        let path = fixture.directory.file("export")
        try SuiteExport([DocumentData(store: fixture.store, project: "demo")]).write(to: path)
        let target = try FirestoreFixture.makeStore()
        #expect(try SuiteImport(path, into: [DocumentData(store: target, project: "new")]).run().documents == 4)
        let found = try FirestoreFixture.contents(of: target)
        #expect(found[DatabaseID(project: "new")]?.count == 3)
        #expect(found[DatabaseID(project: "new", database: "db2")]?.count == 1)
    }
}
