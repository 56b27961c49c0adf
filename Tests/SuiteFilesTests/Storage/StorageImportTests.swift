// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import ObjectStore
import Testing

@testable import SuiteFiles

@Suite struct StorageImportTests {
    let fixture: ExportFixture

    init() throws {
        fixture = try ExportFixture()
    }

    private func object(_ name: String) throws -> ObjectMetadata? {
        try fixture.store.metadata(at: #require(ObjectPath(bucket: ExportFixture.bucket, name: name)))
    }

    @Test(
        "reads every layout",
        arguments: [
            ("\(ExportFixture.bucket)/test.jpg", "test.jpg", "test.jpg"),
            ("\(ExportFixture.bucket)/dir/sub/%C3%A9%20x", "dir/sub/é x", "dir/sub/é x"),
            ("\(ExportFixture.bucket)/folder%2F", "folder/", "folder/"),
            ("\(ExportFixture.bucket)%2Ftest.jpg", "test.jpg", "test.jpg"),
            ("\(ExportFixture.bucket)%2Fdir%2Fa%252Fb", "dir/a%2Fb", "dir/a%2Fb"),
            ("\(ExportFixture.bucket)%5Ctest.jpg", "test.jpg", "test.jpg"),
            ("\(ExportFixture.bucket)%5Cdir%5Csub%5Cx.jpg", #"dir\sub\x.jpg"#, "dir/sub/x.jpg"),
            ("eaa2803e-4374-44bd-98cb-cdd7d31e3347", "a/../b//c", "a/../b//c"),
            ("eaa2803e-4374-44bd-98cb-cdd7d31e3347", #"a/b\c"#, #"a/b\c"#),
            ("eaa2803e-4374-44bd-98cb-cdd7d31e3347", "..json", "..json"),
        ]
    )
    func layouts(file: String, name: String, stored: String) throws {
        try fixture.writeFrame()
        try fixture.writeHello(file, name: name)
        let (counts, warnings) = try fixture.load()
        #expect(counts == ExportCounts(buckets: 1, objects: 1, bytes: 5))
        #expect(warnings.isEmpty)
        let object = try #require(try object(stored))
        #expect(try fixture.bytes(object.path, in: fixture.store) == Array("hello".utf8))
        #expect(object.generation == 1_648_084_940_926)
        #expect(object.metageneration == 3)
        #expect(object.timeCreated == 1_648_084_940_926_000)
        #expect(object.updated == 1_648_084_941_926_000)
        #expect(
            object.attributes
                == ObjectAttributes(
                    contentType: "text/plain",
                    contentDisposition: "inline",
                    cacheControl: "public, max-age=3600",
                    customMetadata: ["a": "b"],
                    downloadTokens: ["c3c71086-95a8-445d-96e7-f625972de4b0"],
                    storageClass: "STANDARD"
                )
        )
    }

    @Test func `reads an empty object`() throws {
        try fixture.writeFrame()
        try fixture.writeHello("x", name: "empty") { record in
            record["size"] = 0
            record["md5Hash"] = "1B2M2Y8AsgTpgAmY7PhCfg=="
            record["crc32c"] = "0"
        }
        try fixture.write("", to: "storage_export/blobs/x")
        try fixture.load()
        #expect(try object("empty")?.byteCount == 0)
    }

    @Test func `reads the directory of the buckets too`() throws {
        try fixture.write(#"{"buckets":[{"id":"b1"},{"id":"b2"}]}"#, to: "buckets.json")
        let (counts, warnings) = try fixture.load()
        #expect(counts.buckets == 2)
        #expect(warnings.count == 1)
        #expect(try fixture.store.buckets().map(\.name.description) == ["b1", "b2"])
    }

    @Test func `warns of what is missing and what is left out`() throws {
        try fixture.writeFrame()
        try fixture.write(
            #"{"version":"1","auth":{"path":"auth_export"},"firestore":{"path":"f"},"storage":{"path":"storage_export"}}"#,
            to: "firebase-export-metadata.json"
        )
        let (counts, warnings) = try fixture.load()
        #expect(counts == ExportCounts(buckets: 1))
        #expect(warnings.count == 2)
        #expect(warnings.first?.hasSuffix("also holds auth, firestore, which is not imported") == true)
        try fixture.write(#"{"version":"1"}"#, to: "firebase-export-metadata.json")
        #expect(try fixture.load().counts == ExportCounts())
    }

    @Test func `takes what records leave out from defaults, as the official emulator does`() throws {
        try fixture.writeFrame()
        try fixture.writeHello("x", name: "x") { record in
            record = [
                "name": "x", "bucket": "other", "contentType": NSNull(), "generation": 0, "downloadTokens": "t1,t2",
            ]
            record["customMetadata"] =
                ["n": 3, "nothing": NSNull(), "firebaseStorageDownloadTokens": "t2,t3"] as [String: Any]
        }
        try fixture.load()
        let path = try #require(ObjectPath(bucket: "other", name: "x"))
        let object = try #require(try fixture.store.metadata(at: path))
        #expect(object.generation == ExportFixture.time)
        #expect(object.metageneration == 1)
        #expect(object.timeCreated == ExportFixture.time)
        #expect(object.attributes.contentType == "application/octet-stream")
        #expect(object.attributes.downloadTokens == ["t1", "t2", "t3"])
        #expect(object.attributes.customMetadata == ["n": "3", "nothing": ""])
    }

    @Test func `passes over files that are no records`() throws {
        try fixture.writeFrame()
        try fixture.writeHello("x", name: "x")
        try fixture.write("?", to: "storage_export/metadata/.DS_Store")
        #expect(try fixture.load().counts.objects == 1)
    }

    @Test func `replaces objects of the same names and leaves the others`() throws {
        let kept = try fixture.put("kept", at: "kept")
        try fixture.put("old", at: "x")
        try fixture.writeFrame()
        try fixture.writeHello("x", name: "x")
        try fixture.load()
        let objects = try fixture.store.list(kept.bucket).items
        #expect(objects.map(\.name.description) == ["kept", "x"])
        #expect(objects.first == kept)
        #expect(objects.last?.byteCount == 5)
    }

    @Test func `puts back an export that died between its two steps`() throws {
        try fixture.writeFrame()
        try fixture.writeHello("x", name: "x")
        let storage = "\(fixture.path)/storage_export"
        try FileTree.move(storage, to: "\(fixture.path)/.storage_export.firemeter-old")
        #expect(try fixture.load().counts.objects == 1)
        #expect(try FileTree.kind(of: storage) == .directory)
    }
}

extension ExportCounts {
    init(buckets: Int, objects: Int = 0, bytes: Int64 = 0) {
        self.init()
        self.buckets = buckets
        self.objects = objects
        self.bytes = bytes
    }
}
