// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import ObjectStore
import TestSupport
import Testing
import TinyFeed

@testable import SuiteFiles

@Suite struct StorageExportTests {
    private struct DiskFull: Error {}

    let fixture: ExportFixture

    init() throws {
        fixture = try ExportFixture()
    }

    @discardableResult
    private func export() throws -> ExportCounts {
        try SuiteExport([StorageExport(store: fixture.store)]).write(to: fixture.path)
    }

    /// Objects of every kind, in three buckets of which one is empty.
    private func fill() throws {
        var rich = ObjectAttributes(
            contentType: "image/png",
            contentEncoding: "gzip",
            contentDisposition: "inline; filename*=utf-8''x",
            contentLanguage: "de",
            cacheControl: "no-cache",
            customMetadata: ["k": "v", "": "é\n\""],
            downloadTokens: ["t2", "t1"],
            storageClass: "NEARLINE"
        )
        rich.customTime = 1_234_567
        rich.hasEventBasedHold = true
        rich.contexts = ["c": ObjectContext(value: "v", timeCreated: 1, timeUpdated: 2)]
        try fixture.put("rich", at: "rich", rich)
        for name in ["a/../b", "..x", "a//b/", #"back\slash"#, "é", "e\u{301}", "x.json", "%2F", " "] {
            try fixture.put(name, at: name)
        }
        try fixture.put("", at: "empty", bucket: "other")
        _ = try fixture.store.createBucket(#require(BucketName("no-objects")))
        let path = try #require(ObjectPath(bucket: ExportFixture.bucket, name: "composed"))
        let parts = ["é", "..x"].compactMap(ObjectName.init).map { ObjectComponent(name: $0) }
        _ = try fixture.store.compose(parts, into: path)
        for _ in 0..<3 { _ = try fixture.store.update(at: path) { $0.customMetadata["n", default: ""] += "x" } }
    }

    @Test func `what is exported is imported as it was`() throws {
        try fill()
        let exported = try export()
        #expect(exported.buckets == 3)
        #expect(exported.objects == 12)
        let other = try ExportFixture()
        let imported = try SuiteImport(fixture.path, into: [StorageImport(store: other.store)]).run()
        #expect(imported == exported)
        #expect(try other.contents(of: other.store) == fixture.contents(of: fixture.store))
        #expect(try other.store.buckets().map(\.name) == fixture.store.buckets().map(\.name))
    }

    @Test func `an export of the same objects has the same files`() throws {
        try fill()
        try export()
        let files = try fixture.files(in: "export")
        let record = try #require(files.first { $0.hasSuffix(".json") && $0.contains("metadata/") })
        let text = try fixture.text("export/\(record)")
        try export()
        #expect(try fixture.files(in: "export") == files)
        #expect(try fixture.text("export/\(record)") == text)
    }

    @Test func `writes what the official emulator reads`() throws {
        var attributes = ObjectAttributes(contentType: "text/plain", customMetadata: ["a": "b"], downloadTokens: ["t"])
        attributes.cacheControl = "no-cache"
        let object = try fixture.put("hello", at: "docs/a.txt", attributes)
        try export()
        let name = object.path.exportedFileName
        #expect(
            try fixture.files(in: "export") == [
                "firebase-export-metadata.json", "storage_export", "storage_export/blobs",
                "storage_export/blobs/\(name)",
                "storage_export/buckets.json", "storage_export/metadata", "storage_export/metadata/\(name).json",
            ]
        )
        #expect(try fixture.text("export/storage_export/blobs/\(name)") == "hello")
        #expect(
            try fixture.text("export/storage_export/metadata/\(name).json") == """
                {
                  "name": "docs/a.txt",
                  "bucket": "demo.appspot.com",
                  "metageneration": 1,
                  "generation": 1795165200000001,
                  "contentType": "text/plain",
                  "storageClass": "STANDARD",
                  "cacheControl": "no-cache",
                  "downloadTokens": [
                    "t"
                  ],
                  "etag": "\(object.etag)",
                  "customMetadata": {
                    "a": "b"
                  },
                  "timeCreated": "2026-11-20T09:00:00.000001Z",
                  "updated": "2026-11-20T09:00:00.000001Z",
                  "size": 5,
                  "md5Hash": "XUFAKrxLKna5cZ2REBfFkg==",
                  "crc32c": "2591144780"
                }
                """
        )
        #expect(
            try fixture.text("export/storage_export/buckets.json") == """
                {
                  "buckets": [
                    {
                      "id": "demo.appspot.com"
                    }
                  ]
                }
                """
        )
        #expect(
            try fixture.text("export/firebase-export-metadata.json") == """
                {
                  "storage": {"path":"storage_export","version":"11.3.0"},
                  "version": "11.3.0"
                }

                """
        )
    }

    @Test func `a custom time is written where the official emulator does not stumble on it`() throws {
        var attributes = ObjectAttributes()
        attributes.customTime = 1_577_934_245_678_000
        let object = try fixture.put("", at: "timed", attributes)
        try export()
        let record = try fixture.text("export/storage_export/metadata/\(object.path.exportedFileName).json")
        #expect(!record.contains("\n  \"customTime\""))
        #expect(record.contains(#""firemeter": {"customTime":1577934245678000}"#))
    }

    @Test func `composed objects have an MD5 in an export`() throws {
        try fill()
        try export()
        let path = try #require(ObjectPath(bucket: ExportFixture.bucket, name: "composed"))
        let record = try fixture.text("export/storage_export/metadata/\(path.exportedFileName).json")
        #expect(record.contains(#""md5Hash": ""#))
        #expect(record.contains(#""firemeter": {"componentCount":2}"#))
    }

    @Test func `lists by pages`() throws {
        for number in 0..<1_005 { try fixture.put("\(number)", at: "\(number)") }
        #expect(try export().objects == 1_005)
        #expect(fixture.directory.names(in: "export/storage_export/blobs").count == 1_005)
    }

    @Test func `leaves the data of other services alone`() throws {
        try fixture.write(
            #"{"version":"15.0.0","auth":{"version":"15.0.0","path":"auth_export"}}"#,
            to: "firebase-export-metadata.json"
        )
        try fixture.write("{}", to: "auth_export/accounts.json")
        try fixture.write("kept", to: "notes.txt")
        try fixture.put("x", at: "x")
        try export()
        #expect(try fixture.text("export/auth_export/accounts.json") == "{}")
        #expect(try fixture.text("export/notes.txt") == "kept")
        let manifest = try fixture.text("export/firebase-export-metadata.json")
        #expect(manifest.contains(#""auth": {"path":"auth_export","version":"15.0.0"}"#))
        #expect(manifest.contains(#""version": "15.0.0""#))
        #expect(manifest.contains(#""storage": {"path":"storage_export","version":"11.3.0"}"#))
    }

    @Test(arguments: ["export/file.txt", "export/storage_export/file.txt"])
    func `touches no directory that is no export`(_ file: String) throws {
        if file.contains("storage_export") { try fixture.write("{}", to: "firebase-export-metadata.json") }
        try fixture.directory.write([1], to: file)
        let before = try fixture.files(in: "export")
        let error = #expect(throws: ExportError.self) { try export() }
        #expect(error?.code == .notAnExport)
        #expect(try fixture.files(in: "export") == before)
        #expect(throws: ExportError.self) { try StorageExport(store: fixture.store).write(storageTo: fixture.path) }
        #expect(try fixture.files(in: "export") == before)
    }

    @Test func `touches nothing that is no directory`() throws {
        try fixture.directory.write([1], to: "export")
        #expect(throws: ExportError.notADirectory(FileTree.absolute(fixture.path))) { try export() }
        #expect(try fixture.text("export") == "\u{1}")
        #expect(throws: ExportError.self) {
            try SuiteExport([StorageExport(store: fixture.store)]).write(to: "\(fixture.path)/below")
        }
    }

    @Test func `fills an empty directory`() throws {
        try FileTree.createDirectory(fixture.path)
        #expect(try export() == ExportCounts())
        #expect(fixture.directory.names(in: "export") == ["firebase-export-metadata.json", "storage_export"])
    }

    @Test func `settings of buckets are left out, with a warning`() throws {
        for name in ["a-bucket", "b-bucket", "c-bucket"] {
            _ = try fixture.store.createBucket(#require(BucketName(name)))
        }
        for (name, isVersioned) in [("a-bucket", true), ("c-bucket", true), ("c-bucket", false)] {
            _ = try fixture.store.updateBucket(#require(BucketName(name))) { bucket in
                var settings = bucket.settings
                settings.isVersioned = isVersioned
                return settings
            }
        }
        var warnings: [String] = []
        var work = TransferWork()
        work.onWarning = { warnings.append($0) }
        try SuiteExport([StorageExport(store: fixture.store)]).write(to: fixture.path, work)
        let reason = "settings, and versions that are not live, of buckets (a-bucket, c-bucket)"
        #expect(warnings == ["left out of the export: \(reason)"])
    }

    @Test func `more buckets than a file in memory may hold come in and go out`() throws {
        try fixture.writeFrame()
        let longName = String(repeating: "b", count: 58)
        let entries = (10_000..<22_000).map { "    {\n      \"id\": \"\(longName)\($0)\"\n    }" }
        let text = "{\n  \"buckets\": [\n\(entries.joined(separator: ",\n"))\n  ]\n}"
        #expect(text.utf8.count > 1 << 20)
        try fixture.write(text, to: "storage_export/buckets.json")
        try fixture.load()
        #expect(try export().buckets == 12_000)
        #expect(try fixture.text("export/storage_export/buckets.json") == text)
    }

    @Test(arguments: [1, 7, 12])
    func `an export that fails leaves the old one whole`(_ count: Int) throws {
        try fill()
        try export()
        let before = try fixture.files(in: "export")
        try fixture.put("new", at: "rich-too")
        var work = TransferWork()
        work.onProgress = { if $0.objects == count { throw DiskFull() } }
        let failing = SuiteExport([StorageExport(store: fixture.store)])
        #expect(throws: DiskFull.self) { try failing.write(to: fixture.path, work) }
        #expect(try fixture.files(in: "export") == before)
        let other = try ExportFixture()
        #expect(try SuiteImport(fixture.path, into: [StorageImport(store: other.store)]).run().objects == 12)
    }

    @Test(arguments: [true, false])
    func `a first export that fails leaves nothing`(_ isThere: Bool) throws {
        if isThere { try FileTree.createDirectory(fixture.path) }
        try fixture.put("x", at: "x")
        var work = TransferWork()
        work.onProgress = { _ in throw DiskFull() }
        let failing = SuiteExport([StorageExport(store: fixture.store)])
        #expect(throws: DiskFull.self) { try failing.write(to: fixture.path, work) }
        #expect(try FileTree.kind(of: fixture.path) == (isThere ? .directory : nil))
        #expect(fixture.directory.names(in: "export").isEmpty)
    }

    @Test func `damaged bytes fail an export`() throws {
        try fixture.put("hello", at: "x")
        try export()
        let blob = try #require(try fixture.blobs().last)
        try fixture.directory.write(Array("hallo".utf8), to: "store/blobs/\(blob)")
        #expect(throws: ObjectStoreError.self) { try export() }
        #expect(fixture.directory.names(in: "export/storage_export/blobs").count == 1)
    }
}
