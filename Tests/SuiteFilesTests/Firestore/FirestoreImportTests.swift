// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreSamples
import Foundation
import TestSupport
import Testing

@testable import SuiteFiles

/// Imports of production's layouts, and imports that fail: each names the file, and leaves nothing.
@Suite struct FirestoreImportTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The beginning of the message, with `DIR` for the export's directory.
        let message: String
        let apply: @Sendable (FirestoreFixture) throws -> Void

        init(_ name: String, _ message: String, _ apply: @escaping @Sendable (FirestoreFixture) throws -> Void) {
            (testDescription, self.message, self.apply) = (name, message, apply)
        }
    }

    private static let overall = "firestore_export/firestore_export.overall_export_metadata"
    private static let kind = "firestore_export/all_namespaces/all_kinds/all_namespaces_all_kinds.export_metadata"
    private static let output = "firestore_export/all_namespaces/all_kinds/output-0"

    /// Writes an overall file whose kinds are at these paths.
    private static func writeOverall(_ paths: [String], in fixture: FirestoreFixture) throws {
        let file = fixture.directory.file(overall)
        try FileTree.removeTree(file)
        try OverallMetadata(kinds: paths.map { .init(path: $0, documents: 1, bytes: 1) }).write(to: file)
    }

    private static func writeKind(_ outputs: [String], to name: String = kind, in fixture: FirestoreFixture) throws {
        let file = fixture.directory.file(name)
        try FileTree.removeTree(file)
        try KindMetadata(outputs: outputs).write(to: file, exportNamed: "x", at: noon)
    }

    private static let damages: [Damage] = [
        Damage("no overall file", "Failed to parse overall export metadata file: DIR/\(overall) is missing") {
            try FileTree.removeTree($0.directory.file(overall))
        },
        Damage("a folder for it", "Failed to parse overall export metadata file: DIR/\(overall) is no regular file") {
            try FileTree.removeTree($0.directory.file(overall))
            try $0.directory.makeFolder(overall)
        },
        Damage("an empty overall file", "Overall export metadata file version not supported: DIR/\(overall)") {
            try $0.directory.write([], to: overall)
        },
        Damage("another version", "Overall export metadata file version not supported: DIR/\(overall)") { fixture in
            try FileTree.removeTree(fixture.directory.file(overall))
            var log = RecordLogWriter(try .creating(fixture.directory.file(overall)))
            try log.append(Array("4".utf8))
            try log.flush()
        },
        Damage("a text for it", "Invalid record in DIR/\(overall) at byte 0") {
            try $0.directory.write("this is a text".utf8, to: overall)
        },
        Damage("no kind file", "DIR/\(kind) is missing") { try FileTree.removeTree($0.directory.file(kind)) },
        Damage("a damaged kind file", "DIR/\(kind) does not list the files of an export") {
            try $0.directory.write([0x12, 0x7F], to: kind)
        },
        Damage("no output", "Failed parse entity file:DIR/\(output)") {
            try FileTree.removeTree($0.directory.file(output))
        },
        Damage("a changed output", "Checksum doesn't validate. DIR/\(output) is damaged at byte ") { fixture in
            var bytes = try fixture.bytes(output)
            bytes[bytes.count - 3] ^= 1
            try fixture.directory.write(bytes, to: output)
        },
        Damage("an output that is cut off", "Invalid record in DIR/\(output) at byte ") {
            try $0.directory.write(try $0.bytes(output).dropLast(), to: output)
        },
        Damage("a record that is no entity", "Failed parse entity file:DIR/\(output): record 1: it is not an entity") {
            fixture in
            try FileTree.removeTree(fixture.directory.file(output))
            var log = RecordLogWriter(try .creating(fixture.directory.file(output)))
            try log.append([1, 2, 3])
            try log.flush()
        },
        Damage("a way out", "DIR/\(overall) names '../x', which is not a path within the export") {
            try writeOverall(["../x"], in: $0)
        },
        Damage("a way to the root", "DIR/\(overall) names '/etc/passwd', which is not a path within the export") {
            try writeOverall(["/etc/passwd"], in: $0)
        },
        Damage("an output elsewhere", "DIR/\(kind) names 'a/../../b', which is not a path within the export") {
            try writeKind(["a/../../b"], in: $0)
        },
        Damage("a link", "DIR/\(output) is a symbolic link, which imports do not follow") { fixture in
            try fixture.move(output, to: "elsewhere")
            try FileManager.default.createSymbolicLink(
                atPath: fixture.directory.file(output),
                withDestinationPath: fixture.directory.file("elsewhere")
            )
        },
        Damage("a linked folder", "DIR/firestore_export/all_namespaces is a symbolic link") { fixture in
            try fixture.move("firestore_export/all_namespaces", to: "elsewhere")
            try FileManager.default.createSymbolicLink(
                atPath: fixture.directory.file("firestore_export/all_namespaces"),
                withDestinationPath: fixture.directory.file("elsewhere")
            )
        },
    ]

    @Test(arguments: damages)
    func `names the file and leaves nothing`(damage: Damage) throws {
        let fixture = try FirestoreFixture()
        try fixture.fill()
        try fixture.export()
        try damage.apply(fixture)
        let target = try FirestoreFixture.makeStore()
        _ = try target.commit([.set(path("c/a"), fields: [:])], in: demo)
        let error = try #require(try fixture.loadFailure(into: target))
        let message = damage.message.replacing("DIR", with: FileTree.absolute(fixture.directory.path))
        #expect(error.description.hasPrefix(message), "\(error.description)")
        #expect(error.code == .badData)
        #expect(try FirestoreFixture.contents(of: target) == [demo: ["c/a": [:]]])
    }

    @Test(arguments: [81, 82, 83] as [UInt64])
    func `random damage is refused or read, and never crashes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let fixture = try FirestoreFixture()
        try fixture.fill()
        try fixture.export()
        for name in [Self.overall, Self.kind, Self.output] {
            let whole = try fixture.bytes(name)
            for _ in 0..<60 {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
                        in: 0...255,
                        using: &generator
                    )
                }
                bytes.removeLast(Int.random(in: 0...2, using: &generator))
                try fixture.directory.write(bytes, to: name)
                _ = try fixture.loadFailure(into: FirestoreFixture.makeStore())
            }
            try fixture.directory.write(whole, to: name)
        }
    }

    @Test func `follows several kinds and several outputs`() throws {
        let fixture = try FirestoreFixture()
        try fixture.fill()
        try fixture.export()
        let users = "firestore_export/all_namespaces/kind_users"
        try fixture.directory.makeFolder(users)
        for (name, text) in [("output-0", "users/1"), ("output-1", "users/2"), ("output-2", "users/3")] {
            var log = RecordLogWriter(try .creating(fixture.directory.file("\(users)/\(name)")))
            let fields = EncodedFields(["t": .string(text)]).bytes
            try fields.withUnsafeBytes {
                try log.append(try EntityEncoder(database: DatabaseID(project: "prod")).encode(path(text), fields: $0))
            }
            try log.flush()
        }
        let kind = "\(users)/all_namespaces_kind_users.export_metadata"
        try Self.writeKind(["output-0", "output-2"], to: kind, in: fixture)
        let one = try fixture.bytes(kind)
        try FileTree.removeTree(fixture.directory.file(kind))
        try fixture.directory.write(one + [0x12, 0x0A, 0x12, 0x08] + Array("output-1".utf8), to: kind)
        try Self.writeOverall(
            ["all_namespaces/all_kinds/all_namespaces_all_kinds.export_metadata", String(kind.dropFirst(17))],
            in: fixture
        )
        let target = try FirestoreFixture.makeStore()
        #expect(try fixture.load(into: target).counts.documents == 6)
        let paths = try FirestoreFixture.contents(of: target)[demo]?.keys.sorted()
        #expect(paths == ["c/__id7__", "c/a", "c/a/d/b", "users/1", "users/2", "users/3"])
    }

    @Test func `an import stops when its progress throws, and leaves nothing`() throws {
        let fixture = try FirestoreFixture()
        try fixture.fill()
        try fixture.export()
        let target = try FirestoreFixture.makeStore()
        var work = FirestoreImport(store: target, sources: [.init(overallFile: fixture.overallFile(), database: demo)])
        work.onProgress = { _ in throw CancellationError() }
        #expect(throws: CancellationError.self) { try work.run() }
        #expect(try FirestoreFixture.contents(of: target).isEmpty)
    }

    @Test func `several exports in one directory are refused`() throws {
        let fixture = try FirestoreFixture()
        #expect(try FirestoreImport.overallFile(in: fixture.directory.path) == nil)
        for name in ["a", "b"] { try fixture.directory.write([], to: "\(name).overall_export_metadata") }
        #expect(throws: ExportError.self) { try FirestoreImport.overallFile(in: fixture.directory.path) }
    }
}
