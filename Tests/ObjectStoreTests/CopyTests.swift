// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import TestSupport
import Testing

@Suite struct CopyTests {
    let directory: TemporaryDirectory
    let store: SQLiteObjectStore
    let source: ObjectPath
    let target: ObjectPath

    init() throws {
        directory = TemporaryDirectory()
        store = try SQLiteObjectStore.make(directory)
        source = try .named("source")
        target = try #require(ObjectPath(bucket: "other", name: "target"))
    }

    private func copy(_ change: (inout ObjectCopy) -> Void = { _ in }) throws -> ObjectMetadata? {
        var copy = ObjectCopy(from: source, to: target)
        change(&copy)
        return try store.copy(copy) { $0.attributes }
    }

    @Test func `shares the bytes until the last copy goes`() throws {
        let stored = try store.put([1, 2], at: source, attributes: ObjectAttributes(customMetadata: ["a": "b"]))
        let copied = try #require(try copy())
        #expect(copied.digest == stored.digest)
        #expect(copied.attributes == stored.attributes)
        #expect(copied.generation == stored.generation + 1)
        #expect(copied.metageneration == 1)
        #expect(try directory.dataFiles().count == 1)
        #expect(try store.delete(at: source))
        #expect(try store.bytes(at: target) == [1, 2])
        #expect(try directory.dataFiles().count == 1)
        #expect(try store.delete(at: target))
        #expect(try directory.dataFiles().isEmpty)
    }

    @Test func `replaces what is at the target, itself included`() throws {
        try store.put([1], at: source)
        try store.put([2], at: target)
        #expect(try copy() != nil)
        #expect(try store.bytes(at: target) == [1])
        #expect(try directory.dataFiles().count == 1)
        let again = try store.copy(ObjectCopy(from: source, to: source)) { _ in ObjectAttributes(contentType: "a/b") }
        #expect(again?.attributes.contentType == "a/b")
        #expect(try store.bytes(at: source) == [1])
    }

    @Test func `moves as one step`() throws {
        let stored = try store.put([1], at: source)
        let moved = try copy { $0.isMove = true }
        #expect(moved?.generation == stored.generation + 1)
        #expect(try store.metadata(at: source) == nil)
        #expect(try store.bytes(at: target) == [1])
        #expect(try copy { $0.isMove = true } == nil)
    }

    @Test(arguments: [false, true])
    func `moves onto itself without losing anything`(isVersioned: Bool) throws {
        var settings = BucketSettings()
        settings.isVersioned = isVersioned
        _ = try store.createBucket(source.bucket, settings: settings)
        let stored = try store.put([1], at: source)
        var move = ObjectCopy(from: source, to: source)
        move.isMove = true
        let moved = try #require(try store.copy(move) { $0.attributes })
        #expect(try store.metadata(at: source) == moved)
        #expect(try store.bytes(at: source) == [1])
        #expect((try store.metadata(at: source, generation: stored.generation) != nil) == isVersioned)
        #expect(try directory.dataFiles().count == 1)
    }

    @Test func `judges source and target`() throws {
        let stored = try store.put([1], at: source)
        let wrong = ObjectPreconditions(ifGenerationMatch: 1)
        #expect(try errorCode { _ = try copy { $0.sourcePreconditions = wrong } } == .preconditionFailed)
        #expect(try errorCode { _ = try copy { $0.preconditions = wrong } } == .preconditionFailed)
        #expect(try copy { $0.sourceGeneration = 1 } == nil)
        #expect(try store.metadata(at: target) == nil)
        #expect(
            try copy {
                $0.sourceGeneration = stored.generation
                $0.preconditions = ObjectPreconditions(ifGenerationMatch: 0)
            } != nil
        )
    }

    @Test func `leaves a held source where it is`() throws {
        var attributes = ObjectAttributes()
        attributes.hasTemporaryHold = true
        try store.put([1], at: source, attributes: attributes)
        #expect(try errorCode { _ = try copy { $0.isMove = true } } == .held)
        #expect(try store.bytes(at: source) == [1])
        #expect(try store.metadata(at: target) == nil)
    }
}
