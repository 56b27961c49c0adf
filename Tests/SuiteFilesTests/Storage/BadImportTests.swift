// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore
import TestSupport
import Testing
import TinyFeed

@testable import SuiteFiles

/// Imports that fail: each names the file, and leaves nothing.
@Suite struct BadImportTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The end of the file's path that the error begins with.
        let file: String
        let reason: String
        let apply: @Sendable (ExportFixture) throws -> Void

        init(
            _ testDescription: String,
            _ file: String,
            _ reason: String,
            _ apply: @escaping @Sendable (ExportFixture) throws -> Void
        ) {
            self.testDescription = testDescription
            self.file = file
            self.reason = reason
            self.apply = apply
        }

        /// A record in which one member is another.
        static func record(_ key: String, _ value: any Sendable, _ reason: String) -> Damage {
            Damage("\(key) \(value)", "storage_export/metadata/bad.json", "is no record of an object: \(reason)") {
                try $0.writeHello("bad", name: "bad") { $0[key] = value }
            }
        }

        /// A record that the bytes contradict.
        static func bytes(_ key: String, _ value: any Sendable, _ reason: String) -> Damage {
            Damage("\(key) \(value)", "storage_export/blobs/bad", reason) {
                try $0.writeHello("bad", name: "bad") { $0[key] = value }
            }
        }

        static func manifest(_ text: String, _ reason: String) -> Damage {
            Damage(text, "firebase-export-metadata.json", reason) {
                try $0.write(text, to: "firebase-export-metadata.json")
            }
        }

        static func link(_ name: String, to target: String) -> Damage {
            Damage("\(name) is a link", name, "is a symbolic link, which imports do not follow") { fixture in
                try fixture.writeHello("bad", name: "bad")
                let link = "\(fixture.path)/\(name)"
                try? FileManager.default.removeItem(atPath: link)
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            }
        }
    }

    private static let damages: [Damage] = [
        .manifest("{", "is no JSON: "),
        .manifest("[]", "is no JSON object"),
        .manifest(#"{"storage":{}}"#, "does not say where its data of"),
        .manifest(#"{"storage":{"path":"../export/storage_export"}}"#, "which is no path within the export"),
        .manifest(#"{"storage":{"path":"/etc"}}"#, "which is no path within the export"),
        .manifest(#"{"storage":{"path":"storage_export/./"}}"#, "which is no path within the export"),
        Damage("no such storage", "no/buckets.json", "is missing") {
            try $0.write(#"{"storage":{"path":"no"}}"#, to: "firebase-export-metadata.json")
        },
        Damage("no list of buckets", "storage_export/buckets.json", "has no list of buckets") {
            try $0.write("{}", to: "storage_export/buckets.json")
        },
        Damage("a bad bucket", "storage_export/buckets.json", "names a bucket that is no bucket name") {
            try $0.write(#"{"buckets":[{"id":"../up"}]}"#, to: "storage_export/buckets.json")
        },
        Damage("no JSON", "storage_export/metadata/bad.json", "is no JSON: ") {
            try $0.write("{", to: "storage_export/metadata/bad.json")
        },
        Damage("no object", "storage_export/metadata/bad.json", "it has no name or no bucket") {
            try $0.write("[]", to: "storage_export/metadata/bad.json")
        },
        Damage("no blob", "storage_export/blobs/bad", "is missing") { fixture in
            try fixture.writeHello("bad", name: "bad")
            try FileManager.default.removeItem(atPath: "\(fixture.path)/storage_export/blobs/bad")
        },
        Damage("a directory for a blob", "storage_export/blobs/bad", "is no regular file") { fixture in
            try fixture.writeHello("bad", name: "bad")
            try FileManager.default.removeItem(atPath: "\(fixture.path)/storage_export/blobs/bad")
            try fixture.write("", to: "storage_export/blobs/bad/x")
        },
        Damage("a name twice", "storage_export/blobs/", "is there twice; remove one of the two") {
            try $0.writeHello("bad", name: "good")
        },
        .record("name", "", "it has no name or no bucket"),
        .record("name", "..", "its name is no object name"),
        .record("name", "a\nb", "its name is no object name"),
        .record("bucket", "UPPER", "'UPPER' is no bucket name"),
        .record("bucket", 3, "its bucket is no text"),
        .record("generation", -1, "its generation is no number that it may be"),
        .record("generation", Int64.max, "its generation is no number that it may be"),
        .record("metageneration", "x", "its metageneration is no number that it may be"),
        .record("timeCreated", "yesterday", "its timeCreated is no time"),
        .record("downloadTokens", [1], "its downloadTokens are no texts"),
        .record("customMetadata", "x", "its customMetadata is no object"),
        .record("md5Hash", "abc", "its md5Hash is no MD5 in base64"),
        .record("crc32c", "4294967296", "its crc32c is no CRC-32C in decimal"),
        .bytes("size", 4, "has 5 bytes; "),
        .bytes(
            "md5Hash",
            "1B2M2Y8AsgTpgAmY7PhCfg==",
            "cannot become demo.appspot.com/bad: Provided MD5 hash \""
        ),
        .bytes("crc32c", "1", "cannot become demo.appspot.com/bad: Provided CRC32C \""),
        .bytes("contentType", "a\0b", "cannot become demo.appspot.com/bad: a content attribute"),
        .bytes("firemeter", ["componentCount": "x"], "cannot become demo.appspot.com/bad: the rare attributes"),
        .link("storage_export/blobs/bad", to: "../../../secret"),
        .link("storage_export/metadata/bad.json", to: "good.json"),
        .link("storage_export/metadata/dir", to: "."),
        .link("storage_export/blobs", to: "../elsewhere"),
        .link("storage_export", to: "elsewhere"),
    ]

    @Test("tells the file and leaves nothing", arguments: damages)
    func damage(_ damage: Damage) throws {
        let fixture = try ExportFixture()
        let before = try fixture.put("before", at: "before")
        try fixture.writeFrame()
        try fixture.writeHello("good", name: "good")
        try fixture.write("hello", to: "elsewhere/bad")
        try fixture.directory.write(Array("hello".utf8), to: "secret")
        try damage.apply(fixture)
        let error = try #require(try fixture.loadFailure())
        #expect(error.code == .badData)
        #expect(error.description.hasPrefix("\(FileTree.absolute(fixture.path))/\(damage.file)"))
        #expect(error.description.contains(damage.reason))
        #expect(try fixture.contents(of: fixture.store) == [before: Array("before".utf8)])
        #expect(try fixture.store.buckets().count == 1)
        #expect(try fixture.blobs().count == 1)
        #expect(try fixture.files(in: "store/uploads").isEmpty)
    }

    @Test func `a directory that is no export brings nothing, and a warning; a missing one is refused`() throws {
        let fixture = try ExportFixture()
        #expect(try fixture.loadFailure() == .missing(FileTree.absolute(fixture.path)))
        try fixture.write("x", to: "file")
        let (counts, warnings) = try fixture.load()
        #expect(counts == ExportCounts())
        #expect(warnings.count == 1 && warnings[0].contains("is no export of the Firebase emulators"))
    }

    @Test func `a stopped import leaves nothing`() throws {
        let fixture = try ExportFixture()
        try fixture.writeFrame()
        for name in ["a", "b", "c"] { try fixture.writeHello(name, name: name) }
        var work = TransferWork()
        work.onProgress = { if $0.objects == 2 { throw CancellationError() } }
        let target = StorageImport(store: fixture.store)
        #expect(throws: CancellationError.self) { try SuiteImport(fixture.path, into: [target]).run(work) }
        #expect(try fixture.store.buckets().isEmpty)
        #expect(try fixture.blobs().isEmpty)
    }
}
