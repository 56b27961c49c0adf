// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles
import Foundation
import ObjectStore
import TestSupport
import Testing

struct FullDiskTests {
    private let directory: TemporaryDirectory
    private let path: ObjectPath

    init() throws {
        directory = TemporaryDirectory()
        path = try #require(ObjectPath(bucket: "bkt", name: "a"))
    }

    /// Space that can never be had: a directory is in the place of its file.
    private func makeMissingReserve() throws -> SpaceReserve {
        let reserve = directory.path + "/reserve"
        try FileManager.default.createDirectory(atPath: reserve, withIntermediateDirectories: true)
        return SpaceReserve(reserve)
    }

    @Test func `takes nothing new while the space for deleting is missing`() throws {
        let former = try SQLiteObjectStore.make(directory)
        let stored = try former.put([1], at: path)
        try former.close()
        let store = try SQLiteObjectStore(
            directory: directory.path,
            clock: { testTime },
            reserve: makeMissingReserve()
        )
        #expect(try errorCode { try store.put([2], at: path) } == .diskFull)
        #expect(try errorCode { _ = try store.update(at: path) { $0.contentType = "text/plain" } } == .diskFull)
        #expect(try store.metadata(at: path) == stored)
        #expect(try store.bytes(at: path) == [1])
        #expect(try store.delete(at: path))
        #expect(try store.metadata(at: path) == nil)
        #expect(try directory.dataFiles().isEmpty)
    }
}
