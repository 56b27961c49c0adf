// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import TestSupport
import Testing

@Suite struct ObjectTests {
    let directory: TemporaryDirectory
    let store: SQLiteObjectStore

    init() throws {
        directory = TemporaryDirectory()
        store = try SQLiteObjectStore.make(directory)
    }

    @Test("returns the bytes written", arguments: [0, 1, 5 * 1_048_576 + 1])
    func returnsBytes(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let path = try ObjectPath.named("a/../b//")
        let stored = try store.put(bytes, at: path)
        #expect(stored.byteCount == Int64(count))
        #expect(try store.bytes(at: path) == bytes)
        #expect(try store.metadata(at: path) == stored)
        #expect(try store.metadata(at: .named("b")) == nil)
    }

    @Test func `keeps every attribute`() throws {
        let path = try ObjectPath.named("a\0b")
        let attributes = ObjectAttributes(
            contentType: "image/png",
            contentEncoding: "gzip",
            contentDisposition: "inline; filename*=utf-8''a.png",
            contentLanguage: "de",
            cacheControl: "public, max-age=60",
            customMetadata: ["owner": "j\u{fc}rg", "": "empty\0"],
            downloadTokens: ["b", "a"],
            storageClass: "NEARLINE"
        )
        let stored = try store.put([1], at: path, attributes: attributes)
        #expect(stored.attributes == attributes)
        #expect(stored.timeCreated == testTime)
        #expect(try store.metadata(at: path) == stored)
        #expect(try store.metadata(at: .named("a")) == nil)
    }

    @Test func `reads parts, and nothing past the end`() throws {
        let path = try ObjectPath.named("a")
        try store.put(Array(0..<10), at: path)
        let reader = try #require(try store.open(path))
        var part = [UInt8](repeating: 0, count: 4)
        #expect(try part.withUnsafeMutableBytes { try reader.read(at: 8, into: $0) } == 2)
        #expect(part == [8, 9, 0, 0])
        #expect(try part.withUnsafeMutableBytes { try reader.read(at: 10, into: $0) } == 0)
        #expect(try part.withUnsafeMutableBytes { try reader.read(at: 1_000, into: $0) } == 0)
    }

    @Test func `lets a reader finish after a replacement and a deletion`() throws {
        let path = try ObjectPath.named("a")
        try store.put([1, 2, 3], at: path)
        let first = try #require(try store.open(path))
        try store.put([4], at: path)
        let second = try #require(try store.open(path))
        #expect(try store.delete(at: path))
        #expect(try first.bytes() == [1, 2, 3])
        #expect(try second.bytes() == [4])
        #expect(try store.open(path) == nil)
        #expect(try directory.dataFiles().isEmpty)
    }

    @Test func `counts generations upwards while the clock stands still`() throws {
        let path = try ObjectPath.named("a")
        let generations = try (0..<4).map { _ in try store.put([], at: path).generation }
        #expect(generations == (0..<4).map { testTime + $0 })
    }

    @Test func `counts metagenerations, and none for a change that changes nothing if so asked`() throws {
        let path = try ObjectPath.named("a")
        try store.put([], at: path)
        #expect(try store.update(at: path) { _ in }?.metageneration == 2)
        let untouched = try store.update(at: path, countingMetageneration: .whenChanged) { _ in }
        #expect(untouched?.metageneration == 2)
        let changed = try store.update(at: path, countingMetageneration: .whenChanged) { $0.downloadTokens = ["t"] }
        #expect(changed?.metageneration == 3)
        #expect(try store.metadata(at: path) == changed)
    }

    @Test func `finds nothing where there is nothing`() throws {
        let path = try ObjectPath.named("a")
        #expect(try store.metadata(at: path) == nil)
        #expect(try store.open(path) == nil)
        #expect(try store.update(at: path) { _ in } == nil)
        #expect(try store.delete(at: path) == false)
        #expect(try store.list(path.bucket) == ObjectListing())
        #expect(try store.buckets().isEmpty)
    }

    @Test func `undoes a change that throws`() throws {
        struct Refusal: Error {}
        let path = try ObjectPath.named("a")
        let stored = try store.put([], at: path)
        #expect(throws: Refusal.self) {
            try store.update(at: path) {
                $0.contentType = "text/plain"
                throw Refusal()
            }
        }
        #expect(try store.metadata(at: path) == stored)
    }

    @Test(
        "refuses attributes it could not keep",
        arguments: [
            ObjectAttributes(contentType: "a\0b"),
            ObjectAttributes(customMetadata: ["k": String(repeating: "v", count: 8_192)]),
            ObjectAttributes(downloadTokens: [String(repeating: "t", count: 65_537)]),
        ]
    )
    func refusesAttributes(attributes: ObjectAttributes) throws {
        let path = try ObjectPath.named("a")
        #expect(try errorCode { try store.put([1], at: path, attributes: attributes) } == .invalidAttribute)
        #expect(try store.metadata(at: path) == nil)
        #expect(try directory.dataFiles().isEmpty)
    }
}
