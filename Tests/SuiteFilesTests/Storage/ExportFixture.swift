// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore
import TestSupport
import Testing
import TinyFeed

@testable import SuiteFiles

/// A store, and a directory `export` in which a test lays out what the official emulators would have written.
struct ExportFixture {
    /// The time of every store: 2026-11-20T09:00:00.000001Z, in microseconds since the Unix epoch.
    static let time = TinyFeed.now + 1
    static let bucket = "demo.appspot.com"

    let directory: TemporaryDirectory
    let store: SQLiteObjectStore

    init() throws {
        directory = TemporaryDirectory()
        store = try SQLiteObjectStore(
            directory: directory.file("store"),
            clock: { Self.time },
            configuration: ObjectStoreConfiguration(durability: .relaxed)
        )
    }

    /// Where the export is.
    var path: String { directory.file("export") }

    /// Writes a text into the export.
    func write(_ text: String, to name: String) throws {
        try directory.write(text.utf8, to: "export/\(name)")
    }

    /// Writes the two files that every export has, of one bucket.
    func writeFrame() throws {
        let storage = #"{"version":"10.4.2","path":"storage_export"}"#
        try write(#"{"version":"10.4.2","storage":\#(storage)}"#, to: "firebase-export-metadata.json")
        try write(#"{"buckets":[{"id":"\#(Self.bucket)"}]}"#, to: "storage_export/buckets.json")
    }

    /// Writes an object `hello` whose two files have a name.
    func writeHello(_ file: String, name: String, changing change: (inout [String: Any]) -> Void = { _ in }) throws {
        var record: [String: Any] = [
            "name": name, "bucket": Self.bucket, "contentType": "text/plain", "metageneration": 3,
            "generation": 1_648_084_940_926, "storageClass": "STANDARD", "contentDisposition": "inline",
            "cacheControl": "public, max-age=3600", "contentEncoding": "identity",
            "downloadTokens": ["c3c71086-95a8-445d-96e7-f625972de4b0"], "etag": "PQJQBXRweACX9yRsBEInQjOJ/0s",
            "timeCreated": "2022-03-24T01:22:20.926Z", "updated": "2022-03-24T01:22:21.926Z", "size": 5,
            "md5Hash": "XUFAKrxLKna5cZ2REBfFkg==", "crc32c": "2591144780", "customMetadata": ["a": "b"],
        ]
        change(&record)
        let text = try JSONSerialization.data(withJSONObject: record)
        try directory.write(text, to: "export/storage_export/metadata/\(file).json")
        try write("hello", to: "storage_export/blobs/\(file)")
    }

    /// Imports and returns the warnings.
    @discardableResult
    func load() throws -> (counts: ExportCounts, warnings: [String]) {
        var warnings: [String] = []
        var work = TransferWork()
        work.onWarning = { warnings.append($0) }
        return (try SuiteImport(path, into: [StorageImport(store: store)]).run(work), warnings)
    }

    /// The message of an import's error; `nil` when it throws none.
    func loadFailure() throws -> ExportError? {
        do {
            try load()
            return nil
        } catch let error as ExportError {
            return error
        }
    }

    /// All objects of all buckets with their bytes.
    func contents(of store: SQLiteObjectStore) throws -> [ObjectMetadata: [UInt8]] {
        var contents: [ObjectMetadata: [UInt8]] = [:]
        for bucket in try store.buckets() {
            for object in try store.list(bucket.name).items { contents[object] = try bytes(object.path, in: store) }
        }
        return contents
    }

    func bytes(_ path: ObjectPath, in store: SQLiteObjectStore) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        return try store.open(path).map { reader in
            _ = try reader.readVerified { bytes.append(contentsOf: $0) }
            return bytes
        }
    }

    /// Stores an object of these bytes.
    @discardableResult
    func put(
        _ text: String,
        at name: String,
        bucket: String = Self.bucket,
        _ attributes: ObjectAttributes = ObjectAttributes()
    ) throws -> ObjectMetadata {
        let upload = try store.beginUpload()
        var text = text
        try text.withUTF8 { try upload.append(UnsafeRawBufferPointer($0)) }
        return try upload.commit(to: #require(ObjectPath(bucket: bucket, name: name)), attributes: attributes)
    }

    /// The store's files of bytes, which lie in directories named by two digits.
    func blobs() throws -> [String] {
        try files(in: "store/blobs").filter { $0.contains("/") }
    }

    /// The names of all files below a folder.
    func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory.file(folder)).sorted()
    }

    /// The text of a file.
    func text(_ name: String) throws -> String {
        try String(contentsOfFile: directory.file(name), encoding: .utf8)
    }
}
