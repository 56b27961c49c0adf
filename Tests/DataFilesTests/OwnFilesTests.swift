// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles
import Foundation
import TestSupport
import Testing

struct OwnFilesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = TemporaryDirectory() }

    private func path(_ name: String) -> String { directory.path + "/" + name }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func `creates the file of a database for its owner`() throws {
        let path = path("a.sqlite")
        OwnFiles.prepareDatabase(path)
        #expect(try mode(path) == 0o600)
        #expect(FileManager.default.contents(atPath: path) == Data())
    }

    @Test func `closes the files of a former run to others`() throws {
        let path = path("a.sqlite")
        for suffix in ["", "-wal", "-shm"] {
            try #require(FileManager.default.createFile(atPath: path + suffix, contents: Data(suffix.utf8)))
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path + suffix)
        }
        OwnFiles.prepareDatabase(path)
        for suffix in ["", "-wal", "-shm"] {
            #expect(try mode(path + suffix) == 0o600)
            #expect(FileManager.default.contents(atPath: path + suffix) == Data(suffix.utf8))
        }
    }
}
