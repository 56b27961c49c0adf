// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct ImportTests {
    private struct Stop: Error {}

    let directory: TemporaryDirectory
    let store: SQLiteObjectStore
    let path: ObjectPath

    init() throws {
        directory = TemporaryDirectory()
        store = try SQLiteObjectStore.make(directory)
        path = try .named("dir/a")
    }

    /// A description of another store's object: all that is known of `[1, 2, 3]`.
    private func imported(_ name: String = "dir/a", generation: Int64? = 1_648_084_940_926) throws -> ImportedObject {
        let attributes = ObjectAttributes(
            contentType: "image/png",
            contentEncoding: "gzip",
            contentDisposition: "inline",
            contentLanguage: "de",
            cacheControl: "no-cache",
            customMetadata: ["a": "b"],
            downloadTokens: ["t1", "t2"],
            storageClass: "NEARLINE"
        )
        var object = ImportedObject(path: try .named(name), attributes: attributes)
        object.generation = generation
        object.metageneration = 7
        object.timeCreated = 1_000_001
        object.updated = 2_000_002
        object.byteCount = 3
        return object
    }

    @discardableResult
    private func load(_ object: ImportedObject, _ bytes: [UInt8] = [1, 2, 3]) throws -> ObjectMetadata {
        try store.importObject(object) { take in try bytes.withUnsafeBytes(take) }
    }

    @Test func `stores an object as it is told`() throws {
        let object = try imported()
        let stored = try load(object)
        #expect(stored.generation == 1_648_084_940_926)
        #expect(stored.metageneration == 7)
        #expect(stored.timeCreated == 1_000_001)
        #expect(stored.updated == 2_000_002)
        #expect(stored.attributes == object.attributes)
        #expect(try store.metadata(at: path) == stored)
        #expect(try store.bytes(at: path) == [1, 2, 3])
        #expect(try store.put([1, 2, 3], at: .named("b")).digest == stored.digest)
    }

    @Test func `takes what it is not told from a new upload`() throws {
        let stored = try load(ImportedObject(path: path))
        #expect(stored.generation == testTime)
        #expect(stored.metageneration == 1)
        #expect(stored.timeCreated == testTime)
        #expect(stored.updated == testTime)
        #expect(stored.attributes.storageClass == "STANDARD")
    }

    @Test func `goes on with generations after the imported ones`() throws {
        try load(imported(generation: testTime + 5))
        #expect(try store.put([], at: .named("b")).generation == testTime + 6)
        try load(imported(generation: 1))
        #expect(try store.put([], at: .named("b")).generation == testTime + 7)
        #expect(try store.metadata(at: path)?.generation == 1)
    }

    @Test func `keeps what few objects have`() throws {
        var attributes = ObjectAttributes()
        attributes.customTime = 5
        attributes.contexts = ["k": ObjectContext(value: "v", timeCreated: 1, timeUpdated: 2)]
        attributes.accessControls = [AccessControl(entity: "allUsers", role: "READER")]
        let parts = try ["x", "y"].map { name in
            try store.put(Array(name.utf8), at: .named(name))
            return try ObjectComponent(name: #require(ObjectName(name)))
        }
        let composed = try store.compose(parts, into: path, attributes: attributes)
        var object = ImportedObject(path: path, attributes: composed.attributes)
        object.generation = composed.generation
        object.timeCreated = composed.timeCreated
        object.extras = try composed.extras()
        let otherDirectory = TemporaryDirectory()
        let other = try SQLiteObjectStore.make(otherDirectory)
        let stored = try other.importObject(object) { take in try Array("xy".utf8).withUnsafeBytes(take) }
        #expect(stored == composed)
        #expect(try other.metadata(at: path) == composed)
        #expect(try otherDirectory.dataFiles().count == 1)
    }

    @Test func `stores nothing of bytes that are not the expected ones`() throws {
        for change in [
            { $0.byteCount = 4 },
            { $0.expected.crc32c = 1 },
            { $0.expected.md5 = [UInt8](repeating: 0, count: 16) },
        ] as [(inout ImportedObject) -> Void] {
            var object = try imported()
            change(&object)
            #expect(try errorCode { try load(object) } == .hashMismatch)
        }
        var object = try imported()
        object.extras = #"{"hasTemporaryHold":3}"#
        #expect(try errorCode { try load(object) } == .invalidAttribute)
        #expect(try store.buckets().isEmpty)
        #expect(try directory.dataFiles().isEmpty)
        #expect(try store.put([], at: path).generation == testTime)
    }

    @Test func `stores all or nothing`() throws {
        let before = try store.put([9], at: path)
        let files = try directory.dataFiles()
        #expect(throws: Stop.self) {
            try store.importing { target in
                try target.ensureBucket(#require(BucketName("other")))
                for name in ["dir/a", "dir/b", "dir/c"] {
                    _ = try target.store(imported(name)) { take in try [UInt8]([1, 2, 3]).withUnsafeBytes(take) }
                }
                throw Stop()
            }
        }
        #expect(try store.list(path.bucket).items == [before])
        #expect(try store.buckets().count == 1)
        #expect(try directory.dataFiles() == files)
        #expect(try store.bytes(at: path) == [9])
    }

    @Test func `replaces what is there, and its bytes go`() throws {
        try store.put([9], at: path)
        for generation: Int64 in [3, 3, 2] {
            let stored = try load(imported(generation: generation))
            #expect(try store.list(path.bucket, matching: ObjectListQuery(versions: .all)).items == [stored])
            #expect(try directory.dataFiles().count == 1)
        }
    }

    @Test func `keeps noncurrent versions in a versioned bucket`() throws {
        var settings = BucketSettings()
        settings.isVersioned = true
        _ = try store.createBucket(path.bucket, settings: settings)
        for generation: Int64 in [1, 2, 1, 1] { try load(imported(generation: generation)) }
        let versions = try store.list(path.bucket, matching: ObjectListQuery(versions: .all)).items
        #expect(versions.map(\.generation) == [1, 2])
        #expect(versions.map { $0.retirement == nil } == [true, false])
        #expect(try directory.dataFiles().count == 2)
    }

    @Test func `refuses two objects of one name in one import`() throws {
        #expect(
            try errorCode {
                try store.importing { target in
                    for generation: Int64 in [1, 2] {
                        _ = try target.store(imported(generation: generation)) { take in
                            try [UInt8]([1, 2, 3]).withUnsafeBytes(take)
                        }
                    }
                }
            } == .alreadyImported
        )
        #expect(try directory.dataFiles().isEmpty)
    }

    @Test func `replaces nothing that is held`() throws {
        var attributes = ObjectAttributes()
        attributes.hasTemporaryHold = true
        try store.put([9], at: path, attributes: attributes)
        #expect(try errorCode { try load(imported()) } == .held)
        #expect(try store.bytes(at: path) == [9])
    }

    @Test func `takes objects piece by piece`() throws {
        let piece = [UInt8](repeating: 7, count: 100_000)
        let stored = try store.importObject(ImportedObject(path: path)) { take in
            for _ in 0..<40 { try piece.withUnsafeBytes(take) }
        }
        #expect(stored.byteCount == 4_000_000)
        #expect(try store.open(path)?.readVerified { _ in } == stored.digest)
    }

    @Test func `an empty object is one`() throws {
        let stored = try store.importObject(ImportedObject(path: path)) { _ in }
        #expect(stored.byteCount == 0)
        #expect(stored.digest == ObjectDigest(md5: ExpectedDigest.md5(base64: "1B2M2Y8AsgTpgAmY7PhCfg=="), crc32c: 0))
    }
}

extension ObjectListQuery {
    fileprivate init(versions: Versions) {
        self.init()
        self.versions = versions
    }
}
