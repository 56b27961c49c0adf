// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import TestSupport
import Testing

@Suite struct PreconditionTests {
    /// Preconditions relative to an object of generation `testTime` and metageneration 1.
    static let table: [(ObjectPreconditions, whenPresent: Bool, whenAbsent: Bool)] = [
        (ObjectPreconditions(), true, true),
        (ObjectPreconditions(ifGenerationMatch: 0), false, true),
        (ObjectPreconditions(ifGenerationMatch: testTime), true, false),
        (ObjectPreconditions(ifGenerationMatch: testTime - 1), false, false),
        (ObjectPreconditions(ifGenerationNotMatch: 0), true, false),
        (ObjectPreconditions(ifGenerationNotMatch: testTime), false, true),
        (ObjectPreconditions(ifGenerationNotMatch: testTime - 1), true, true),
        (ObjectPreconditions(ifMetagenerationMatch: 1), true, false),
        (ObjectPreconditions(ifMetagenerationMatch: 2), false, false),
        (ObjectPreconditions(ifMetagenerationNotMatch: 1), false, true),
        (ObjectPreconditions(ifMetagenerationNotMatch: 2), true, true),
        (ObjectPreconditions(ifGenerationMatch: testTime, ifMetagenerationMatch: 2), false, false),
    ]

    let directory: TemporaryDirectory
    let store: SQLiteObjectStore
    let path: ObjectPath

    init() throws {
        directory = TemporaryDirectory()
        store = try SQLiteObjectStore.make(directory)
        path = try .named("a")
    }

    @Test(arguments: table)
    func `guard an upload`(conditions: ObjectPreconditions, whenPresent: Bool, whenAbsent: Bool) throws {
        #expect(try isMet { try store.put([2], at: path, preconditions: conditions) } == whenAbsent)
        #expect(try store.bytes(at: path) == (whenAbsent ? [2] : nil))
        #expect(try store.buckets().isEmpty == !whenAbsent)
        let otherDirectory = TemporaryDirectory()
        let other = try SQLiteObjectStore.make(otherDirectory)
        try other.put([1], at: path)
        #expect(try isMet { try other.put([2], at: path, preconditions: conditions) } == whenPresent)
        #expect(try other.bytes(at: path) == (whenPresent ? [2] : [1]))
    }

    @Test(arguments: table)
    func `guard a change of what is there`(conditions: ObjectPreconditions, whenPresent: Bool, whenAbsent: Bool) throws
    {
        #expect(try store.update(at: path, preconditions: conditions) { _ in } == nil)
        try store.put([1], at: path)
        #expect(try isMet { _ = try store.update(at: path, preconditions: conditions) { _ in } } == whenPresent)
        #expect(try store.metadata(at: path)?.metageneration == (whenPresent ? 2 : 1))
    }

    @Test(arguments: table)
    func `guard a deletion of what is there`(
        conditions: ObjectPreconditions,
        whenPresent: Bool,
        whenAbsent: Bool
    ) throws {
        #expect(try store.delete(at: path, preconditions: conditions) == false)
        try store.put([1], at: path)
        #expect(try isMet { _ = try store.delete(at: path, preconditions: conditions) } == whenPresent)
        #expect(try store.bytes(at: path) == (whenPresent ? nil : [1]))
    }

    @Test func `tell a failed match from an unmodified object`() throws {
        let stored = try store.put([], at: path)
        #expect(ObjectPreconditions(ifGenerationMatch: 1).failure(for: stored) == .mismatched)
        #expect(ObjectPreconditions(ifGenerationNotMatch: testTime).failure(for: stored) == .notModified)
        let both = ObjectPreconditions(ifGenerationNotMatch: testTime, ifMetagenerationMatch: 2)
        #expect(both.failure(for: stored) == .mismatched)
    }

    @Test func `tell a write whether the object is there that it must not find`() throws {
        let conditions = ObjectPreconditions(ifGenerationNotMatch: 0)
        #expect(try errorCode { try store.put([], at: path, preconditions: conditions) } == .preconditionFailed)
        let stored = try store.put([], at: path)
        let unchanged = ObjectPreconditions(ifGenerationNotMatch: stored.generation)
        #expect(try errorCode { try store.put([], at: path, preconditions: unchanged) } == .notModified)
        #expect(try errorCode { _ = try store.delete(at: path, preconditions: unchanged) } == .notModified)
    }

    private func isMet(_ body: () throws -> Void) throws -> Bool {
        let code = try errorCode(body)
        #expect([nil, .preconditionFailed, .notModified].contains(code))
        return code == nil
    }
}
