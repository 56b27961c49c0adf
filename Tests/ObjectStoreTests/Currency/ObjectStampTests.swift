// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import TestSupport
import Testing

/// A stamp is current for as long as its object is what it was.
@Suite struct ObjectStampTests {
    private enum Change: CaseIterable {
        case overwriting, describing, deleting, copyingOver, movingAway, removingAll, changingTheBucket
    }

    private struct Abandoned: Error {}

    let directory: TemporaryDirectory
    let store: SQLiteObjectStore
    let path: ObjectPath
    let other: ObjectPath

    init() throws {
        directory = TemporaryDirectory()
        store = try SQLiteObjectStore.make(directory)
        path = try .named("a")
        other = try .named("b")
        try store.put([1], at: path)
        try store.put([2], at: other)
    }

    private func stamp() throws -> ObjectStamp { try #require(try store.open(path)?.stamp) }

    private func apply(_ change: Change) throws {
        switch change {
        case .overwriting: try store.put([3], at: path)
        case .describing: _ = try store.update(at: path) { $0.contentType = "a/b" }
        case .deleting: _ = try store.delete(at: path)
        case .copyingOver: _ = try store.copy(ObjectCopy(from: other, to: path)) { $0.attributes }
        case .movingAway:
            var move = ObjectCopy(from: path, to: other)
            move.isMove = true
            _ = try store.copy(move) { $0.attributes }
        case .removingAll: try store.removeAll()
        case .changingTheBucket: _ = try store.updateBucket(path.bucket) { $0.settings }
        }
    }

    @Test(arguments: Change.allCases) private func `is outdated by a change`(change: Change) throws {
        let stamp = try stamp()
        #expect(stamp.isCurrent)
        try apply(change)
        #expect(!stamp.isCurrent)
    }

    @Test func `stays current while other objects change, and when a change fails`() throws {
        let stamp = try stamp()
        try store.put([3], at: other)
        let new = try ObjectPath.named("c")
        try store.put([4], at: new)
        #expect(try store.delete(at: new))
        #expect(throws: Abandoned.self) { try store.update(at: path) { _ in throw Abandoned() } }
        #expect(stamp.isCurrent)
    }

    @Test func `is not given while its object is being changed`() throws {
        let stamp = try stamp()
        #expect(throws: Abandoned.self) {
            try store.importing { objects in
                _ = try objects.store(ImportedObject(path: path)) { take in try [UInt8]([5]).withUnsafeBytes(take) }
                // Readers still see the old object, but must not keep it.
                #expect(try store.open(path)?.stamp == nil)
                #expect(!stamp.isCurrent)
                throw Abandoned()
            }
        }
        #expect(!stamp.isCurrent)
        #expect(try self.stamp().isCurrent)
    }
}
