// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles
import DocumentStore
import FirestoreModel
import FirestoreSamples
import Foundation
import TestSupport
import Testing

struct FullDiskTests {
    private let directory: TemporaryDirectory

    init() throws { directory = TemporaryDirectory() }

    /// Space that can never be had: a directory is in the place of its file.
    private func makeMissingReserve() throws -> SpaceReserve {
        let reserve = directory.url.appending(path: "reserve")
        try FileManager.default.createDirectory(at: reserve, withIntermediateDirectories: true)
        return SpaceReserve(reserve.path)
    }

    @Test(arguments: [StoreDurability.full, .deferred])
    func `takes nothing new while the space for deleting is missing`(_ durability: StoreDurability) throws {
        let former = try SQLiteDocumentStore(location: directory.file, clock: { noon }, durability: durability)
        try former.put("c/a", ["n": .integer(1)])
        try former.put("c/b", ["n": .integer(2)])
        try former.close()
        let store = try SQLiteDocumentStore(
            location: directory.file,
            clock: { noon },
            durability: durability,
            reserve: makeMissingReserve()
        )
        let message = refusal { try store.put("c/a", ["n": .integer(3)]) }
        #expect(message?.hasPrefix("RESOURCE_EXHAUSTED: The disk is full") == true)
        #expect(
            refusal { _ = try store.commit([.delete(path("c/a")), .create(path("c/d"), fields: [:])], in: demo) } != nil
        )
        #expect(try store.fields("c/a") == ["n": .integer(1)])
        _ = try store.commit([.delete(path("c/a"))], in: demo)
        #expect(try store.fields("c/a") == nil)
        try store.deleteAll(in: demo)
        #expect(try store.fields("c/b") == nil)
    }
}
