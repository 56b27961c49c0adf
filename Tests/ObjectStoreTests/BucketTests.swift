// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import TestSupport
import Testing

@Suite struct BucketTests {
    let directory: TemporaryDirectory
    let store: SQLiteObjectStore
    let bucket: BucketName

    init() throws {
        directory = TemporaryDirectory()
        store = try SQLiteObjectStore.make(directory)
        bucket = try #require(BucketName("bkt"))
    }

    @Test func `are created once`() throws {
        let created = try store.createBucket(bucket)
        #expect(created == BucketMetadata(name: bucket, timeCreated: testTime))
        #expect(try errorCode { _ = try store.createBucket(bucket) } == .bucketExists)
        #expect(try store.ensureBucket(bucket) == created)
        #expect(try store.bucket(named: bucket) == created)
    }

    @Test func `come into being with their first object`() throws {
        #expect(try store.bucket(named: bucket) == nil)
        try store.put([], at: .named("a"))
        #expect(try store.bucket(named: bucket)?.name == bucket)
    }

    @Test func `are listed by name`() throws {
        for name in ["c", "a", "b"] {
            _ = try store.ensureBucket(#require(BucketName(name)))
        }
        #expect(try store.buckets().map(\.name.description) == ["a", "b", "c"])
    }

    @Test func `are deleted only when empty`() throws {
        #expect(try store.deleteBucket(bucket) == false)
        let path = try ObjectPath.named("a")
        try store.put([], at: path)
        #expect(try errorCode { _ = try store.deleteBucket(bucket) } == .bucketNotEmpty)
        #expect(try store.delete(at: path))
        #expect(try store.deleteBucket(bucket))
        #expect(try store.bucket(named: bucket) == nil)
    }
}
