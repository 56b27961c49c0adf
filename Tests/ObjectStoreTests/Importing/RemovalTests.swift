// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import TestSupport
import Testing

@Suite struct RemovalTests {
    let directory: TemporaryDirectory
    let store: SQLiteObjectStore

    init() throws {
        directory = TemporaryDirectory()
        store = try SQLiteObjectStore.make(directory)
    }

    @Test func `removes everything but the count of generations`() throws {
        let last = try store.put([1], at: .named("a"))
        try store.put([2], at: .named("b"))
        let upload = try store.beginResumableUpload(request: "{}")
        try store.put(SQLiteObjectStore.ServerRecord(id: "k", text: "{}"), kind: "hmac")
        try store.removeAll()
        #expect(try store.buckets().isEmpty)
        #expect(try store.records("hmac").isEmpty)
        #expect(try store.resumableUpload(upload.id) == nil)
        #expect(try directory.dataFiles().isEmpty)
        #expect(try store.put([3], at: .named("a")).generation == last.generation + 2)
    }

    @Test func `removes versions that are not live too`() throws {
        var settings = BucketSettings()
        settings.isVersioned = true
        let path = try ObjectPath.named("a")
        _ = try store.createBucket(path.bucket, settings: settings)
        for byte: UInt8 in 1...3 { try store.put([byte], at: path) }
        try store.removeAll()
        #expect(try directory.dataFiles().isEmpty)
        #expect(try store.bucket(named: path.bucket) == nil)
    }

    @Test func `an object being read stays readable`() throws {
        try store.put([1, 2], at: .named("a"))
        let reader = try #require(try store.open(.named("a")))
        try store.removeAll()
        #expect(try reader.bytes() == [1, 2])
    }

    @Test func `an upload under way becomes an object of the empty store`() throws {
        let upload = try store.beginUpload()
        try [UInt8]([5]).withUnsafeBytes { try upload.append($0) }
        try store.removeAll()
        _ = try upload.commit(to: .named("a"))
        #expect(try store.bytes(at: .named("a")) == [5])
    }
}
