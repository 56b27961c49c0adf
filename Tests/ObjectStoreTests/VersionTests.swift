// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import TestSupport
import Testing

@Suite struct VersionTests {
    let directory: TemporaryDirectory
    let store: SQLiteObjectStore
    let path: ObjectPath

    init() throws {
        directory = TemporaryDirectory()
        store = try SQLiteObjectStore.make(directory)
        path = try .named("a")
    }

    private func makeBucket(_ change: (inout BucketSettings) -> Void) throws {
        var settings = BucketSettings()
        change(&settings)
        _ = try store.createBucket(path.bucket, settings: settings)
    }

    private func bytes(generation: Int64) throws -> [UInt8]? {
        try store.open(path, generation: generation)?.bytes()
    }

    @Test func `keeps what is replaced and deleted in a versioned bucket`() throws {
        try makeBucket { $0.isVersioned = true }
        let first = try store.put([1], at: path)
        let second = try store.put([2], at: path)
        #expect(try store.bytes(at: path) == [2])
        #expect(try bytes(generation: first.generation) == [1])
        #expect(try store.metadata(at: path, generation: first.generation)?.retirement?.time == testTime)
        #expect(try store.delete(at: path))
        #expect(try store.metadata(at: path) == nil)
        #expect(try bytes(generation: second.generation) == [2])
    }

    @Test func `removes a version for good when its generation is named`() throws {
        try makeBucket { $0.isVersioned = true }
        let first = try store.put([1], at: path)
        let second = try store.put([2], at: path)
        #expect(try store.delete(at: path, generation: first.generation))
        #expect(try bytes(generation: first.generation) == nil)
        #expect(try store.bytes(at: path) == [2])
        #expect(try store.delete(at: path, generation: second.generation))
        #expect(try store.metadata(at: path) == nil)
        #expect(try directory.dataFiles().isEmpty)
    }

    @Test func `changes an old version and leaves the live one`() throws {
        try makeBucket { $0.isVersioned = true }
        let first = try store.put([1], at: path)
        let second = try store.put([2], at: path)
        let changed = try store.update(at: path, generation: first.generation) { $0.contentLanguage = "en" }
        #expect(changed?.metageneration == 2)
        #expect(try store.metadata(at: path, generation: first.generation) == changed)
        #expect(try store.metadata(at: path) == second)
    }

    @Test func `lists versions oldest first, and pages between those of one name`() throws {
        try makeBucket { $0.isVersioned = true }
        let generations = try (0..<5).map { try store.put([$0], at: path).generation }
        let other = try store.put([9], at: .named("b"))
        try store.put([9], at: .named("a/x"))
        var query = ObjectListQuery(delimiter: "/", maxResults: 2)
        query.versions = .all
        var found: [Int64] = []
        var prefixes: [String] = []
        repeat {
            let page = try store.list(path.bucket, matching: query)
            found += page.items.map(\.generation)
            prefixes += page.prefixes
            query.pageToken = page.nextPageToken
        } while query.pageToken != nil
        #expect(found == generations + [other.generation])
        #expect(prefixes == ["a/"])
        #expect(try store.list(path.bucket).items.map(\.generation).contains(generations[0]) == false)
    }

    @Test func `keeps a bucket that holds noncurrent versions`() throws {
        try makeBucket { $0.isVersioned = true }
        let only = try store.put([1], at: path)
        #expect(try store.delete(at: path))
        #expect(try errorCode { _ = try store.deleteBucket(path.bucket) } == .bucketNotEmpty)
        #expect(try store.delete(at: path, generation: only.generation))
        #expect(try store.deleteBucket(path.bucket))
    }

    @Test func `restores what was softly deleted, as a new generation`() throws {
        try makeBucket { $0.softDeleteSeconds = 60 }
        let first = try store.put([1], at: path)
        #expect(try store.delete(at: path))
        #expect(try store.metadata(at: path, generation: first.generation) == nil)
        let deleted = try #require(try store.softlyDeleted(at: path, generation: first.generation))
        #expect(deleted.retirement == ObjectRetirement(time: testTime, restorableUntil: testTime + 60_000_000))
        var query = ObjectListQuery()
        query.versions = .softlyDeleted
        #expect(try store.list(path.bucket, matching: query).items == [deleted])
        let restored = try #require(try store.restore(at: path, generation: first.generation))
        #expect(restored.generation > first.generation)
        #expect(restored.retirement == nil)
        #expect(try store.bytes(at: path) == [1])
        #expect(try store.restore(at: path, generation: first.generation) == nil)
        #expect(try directory.dataFiles().count == 1)
    }

    @Test func `forgets what was softly deleted when its time is over`() throws {
        let place = TemporaryDirectory()
        let generation: Int64
        do {
            let store = try SQLiteObjectStore.make(place)
            var settings = BucketSettings()
            settings.softDeleteSeconds = 60
            _ = try store.createBucket(path.bucket, settings: settings)
            generation = try store.put([1], at: path).generation
            #expect(try store.delete(at: path))
        }
        let later = try SQLiteObjectStore.make(place, at: testTime + 60_000_000)
        #expect(try later.restore(at: path, generation: generation) == nil)
        #expect(try place.dataFiles().isEmpty)
    }

    @Test func `takes softly deleted objects along with their bucket`() throws {
        try makeBucket { $0.softDeleteSeconds = 60 }
        try store.put([1], at: path)
        #expect(try store.delete(at: path))
        #expect(try store.deleteBucket(path.bucket))
        #expect(try directory.dataFiles().isEmpty)
    }

    @Test func `refuses to replace or delete what is held or retained`() throws {
        try makeBucket { $0.retentionSeconds = 60 }
        var attributes = ObjectAttributes()
        attributes.hasTemporaryHold = true
        let held = try store.put([1], at: path, attributes: attributes)
        #expect(held.retentionExpiration == testTime + 60_000_000)
        #expect(try errorCode { try store.put([2], at: path) } == .held)
        #expect(try errorCode { _ = try store.delete(at: path) } == .held)
        _ = try store.update(at: path) { $0.hasTemporaryHold = false }
        #expect(try errorCode { _ = try store.delete(at: path) } == .retained)
        _ = try store.updateBucket(path.bucket) { _ in BucketSettings() }
        #expect(try store.delete(at: path))
    }

    @Test func `counts retention from the end of an event-based hold`() throws {
        try makeBucket {
            $0.retentionSeconds = 60
            $0.hasDefaultEventBasedHold = true
        }
        let stored = try store.put([1], at: path)
        #expect(stored.attributes.hasEventBasedHold == true)
        #expect(stored.retentionExpiration == nil)
        let released = try store.update(at: path) { $0.hasEventBasedHold = false }
        #expect(released?.retentionExpiration == testTime + 60_000_000)
    }
}
